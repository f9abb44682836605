/**
 * Hosted form's script: the two fields in frames of the gateway's origin. Card number and security code never enter
 * this page: a frame reports only validity and brand, and submits the form itself.
 */
export const secureFieldScript = `
/** Limit for a frame's answer, which usually takes milliseconds. */
const FRAME_ANSWER_MS = 10_000;

const secureFields = new Set();

window.addEventListener("message", (event) => {
  // Any window may post messages here; only the gateway's own frames count, each for its field.
  if (event.origin !== gateway) return;
  for (const field of secureFields) if (event.source === field.frame.contentWindow) field.hear(event.data);
});

/** Unanswered questions to a frame; without limitMs they wait for ever. */
function questionsTo(name, say) {
  const waiting = new Map();
  let asked = 0;
  return {
    ask: (message, limitMs) =>
      new Promise((resolve) => {
        asked += 1;
        const number = asked;
        const giveUp = () => {
          waiting.delete(number);
          tellError("PciIframeCommunicationError", "the frame of " + name + " does not answer");
          resolve(undefined);
        };
        const timer = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs);
        waiting.set(number, (answer) => {
          clearTimeout(timer);
          waiting.delete(number);
          resolve(answer);
        });
        say({ ...message, number });
      }),
    answered: ({ number, answer }) => waiting.get(number)?.(answer),
  };
}

/** A field in a frame. Calls heard(state) on changes of value or focus; state: valid, empty, brand, focused. */
function secureField({ name, title, settings, heard, entered }) {
  const frame = element("iframe", {
    ...{ name, title, class: "wpwl-control wpwl-control-iframe wpwl-control-" + (name === "card.cvv" ? "cvv" : "cardNumber"), scrolling: "no" },
  });
  let begun = (_) => undefined;
  let isLoaded = false;
  // Before its page is loaded, a frame has no origin to address.
  const say = (message) => isLoaded && frame.contentWindow?.postMessage(message, gateway);
  const questions = questionsTo(name, (message) => field.ready.then(() => say(message)));
  const field = {
    frame,
    ready: new Promise((resolve) => {
      begun = resolve;
    }),
    /** The field's current state; undefined: no answer. */
    check: () => questions.ask({ type: "check" }, FRAME_ANSWER_MS),
    /** The frame sends the form. It answers only if it may not navigate the window, once the gateway has answered. */
    submit: (message) => questions.ask({ ...message, type: "submit" }),
    set: (changed) => say({ type: "set", settings: changed }),
    showError: (text) => say({ type: "error", text }),
    focus: () => {
      frame.focus();
      say({ type: "focus" });
    },
    hear(message) {
      if (typeof message !== "object" || message === null) return;
      if (message.type === "state") heard(message.state);
      if (message.type === "enter") entered();
      if (message.type === "ready") begun(undefined);
      if (message.type === "answer") questions.answered(message);
    },
    /** Index among the page's frames, by which sibling frames address it. */
    place: () => [...Array(window.frames.length).keys()].find((at) => window.frames[at] === frame.contentWindow),
    remove: () => secureFields.delete(field),
  };
  frame.addEventListener("load", () => {
    isLoaded = true;
    say({ type: "begin", settings: settings() });
  });
  const late = setTimeout(() => tellError("PciIframeCommunicationError", "the frame of " + name + " does not come"), FRAME_ANSWER_MS);
  field.ready.then(() => clearTimeout(late));
  frame.src = checkoutPath + "/fields/" + name;
  secureFields.add(field);
  return field;
}

/** Text style of a frame: that of the page's controls, and wpwlOptions.iframeStyles. */
function lookOf(control, name) {
  const { color, fontFamily, fontSize, fontWeight, letterSpacing } = getComputedStyle(control);
  const wished = options.iframeStyles ?? {};
  const kind = name === "card.cvv" ? "cvv" : "card-number";
  return {
    text: { color, "font-family": fontFamily, "font-size": fontSize, "font-weight": fontWeight, "letter-spacing": letterSpacing, ...wished[kind] },
    placeholder: wished[kind + "-placeholder"] ?? {},
  };
}
`;
