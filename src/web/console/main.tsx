import { render } from "preact";
import { Console } from "./console.tsx";

const place = document.querySelector("#page");
if (place !== null) render(<Console />, place);
