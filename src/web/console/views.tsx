import { useEffect, useRef, useState } from "preact/hooks";
import { ChecksView } from "./checks.tsx";
import { useSession } from "./console-session.ts";
import { LogView } from "./log.tsx";
import { OpenPaymentsView } from "./open-payments.tsx";
import { OverviewView } from "./overview.tsx";
import { PairView, ReplaceView } from "./pair.tsx";
import { PaymentDetail } from "./payment.tsx";
import { PaymentsView } from "./payments.tsx";
import { hrefOf, type Route, routeOf, titleOf } from "./route.ts";
import { SupportView } from "./support.tsx";
import { TerminalDetail } from "./terminal.tsx";
import { TerminalsView } from "./terminals.tsx";
import { TraceView } from "./trace.tsx";

function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(window.location.hash));
  useEffect(() => {
    const moved = (): void => setRoute(routeOf(window.location.hash));
    window.addEventListener("hashchange", moved);
    return () => window.removeEventListener("hashchange", moved);
  }, []);
  return route;
}

/** Navigation, and the view of the current address. After navigation the focus is on the view's heading. */
export function Views() {
  const route = useRoute();
  const title = titleOf(route);
  const place = hrefOfAny(route);
  const view = useRef<HTMLDivElement>(null);
  const shown = useRef(place);
  useEffect(() => {
    document.title = `${title} · Console · posbridge`;
    if (shown.current === place) return;
    shown.current = place;
    const heading = view.current?.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [title, place]);
  return (
    <div class="console">
      <Navigation route={route} />
      <div class="view stack" ref={view} key={place}>
        <View route={route} />
      </div>
    </div>
  );
}

function hrefOfAny(route: Route): string {
  return route.at === "unknown" ? route.hash : hrefOf(route);
}

function View({ route }: { readonly route: Route }) {
  switch (route.at) {
    case "overview":
      return <OverviewView />;
    case "terminals":
      return <TerminalsView />;
    case "pair":
      return <PairView />;
    case "terminal":
      return <TerminalDetail id={route.id} />;
    case "replace":
      return <ReplaceView id={route.id} />;
    case "trace":
      return <TraceView id={route.id} />;
    case "payments":
      return <PaymentsView />;
    case "payment":
      return <PaymentDetail id={route.id} />;
    case "open":
      return <OpenPaymentsView />;
    case "checks":
      return <ChecksView />;
    case "log":
      return <LogView />;
    case "support":
      return <SupportView />;
    case "unknown":
      return (
        <>
          <h1>There is no such view</h1>
          <p>
            The address names nothing here. <a href={hrefOf({ at: "overview" })}>To the overview</a>
          </p>
        </>
      );
  }
}

type Tab = Extract<Route["at"], "overview" | "terminals" | "payments" | "open" | "checks" | "log" | "support">;
const TABS: readonly { readonly at: Tab; readonly name: string; readonly of: readonly Route["at"][] }[] = [
  { at: "overview", name: "Overview", of: ["overview"] },
  { at: "terminals", name: "Terminals", of: ["terminals", "pair", "terminal", "replace", "trace"] },
  { at: "payments", name: "Payments", of: ["payments", "payment"] },
  { at: "open", name: "Open payments", of: ["open"] },
  { at: "checks", name: "Checks", of: ["checks"] },
  { at: "log", name: "Log", of: ["log"] },
  { at: "support", name: "Support bundle", of: ["support"] },
];

function Navigation({ route }: { readonly route: Route }) {
  const { terminals, open, checks } = useSession();
  const counts: Readonly<
    Partial<Record<Tab, { readonly count: number; readonly what: string; readonly tone: "bad" | "unknown" }>>
  > = {
    terminals: {
      count: terminals.value?.filter(({ state }) => state === "offline" || state === "out-of-service").length ?? 0,
      what: "not ready",
      tone: "bad",
    },
    open: { count: open.value?.length ?? 0, what: "open", tone: "unknown" },
    checks: {
      count: checks.value?.filter(({ state }) => state !== "ok").length ?? 0,
      what: "not ok",
      tone: checks.value?.some(({ state }) => state === "fail") ? "bad" : "unknown",
    },
  };
  return (
    <nav class="tabs" aria-label="Views of the console">
      {TABS.map(({ at, name, of }) => {
        const badge = counts[at];
        return (
          <a key={at} href={hrefOf({ at })} aria-current={of.includes(route.at) ? "page" : undefined}>
            {name}
            {badge !== undefined && badge.count > 0 && (
              <span class="count" data-tone={badge.tone}>
                {badge.count}
                <span class="for-readers"> {badge.what}</span>
              </span>
            )}
          </a>
        );
      })}
    </nav>
  );
}
