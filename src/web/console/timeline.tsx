import { useState } from "preact/hooks";
import type { TechnicianClient } from "../../client/technician.ts";
import { Scrolling } from "./parts.tsx";
import { type Lane, numbersText, type Scale, scaleOf } from "./timeline-scale.ts";
import { durationText, epochOf, preciseText } from "./times.ts";

export type Timeline = Awaited<ReturnType<TechnicianClient["timeline"]>>;

const NAMES: Readonly<Record<Lane["track"], string>> = {
  register: "Register",
  card: "Card",
  terminal: "Terminal",
  gateway: "Gateway",
  journal: "Journal",
};

/**
 * All steps of a payment, as a picture to scale and as a table. Pointing at a step in one highlights it in the other.
 */
export function TimelineSection({ steps, leftOut }: Pick<Timeline, "steps" | "leftOut">) {
  const [marked, setMarked] = useState<readonly number[]>([]);
  const scale = scaleOf(steps.map(({ at, tookMs, track }) => ({ at: epochOf(at), tookMs, track })));
  return (
    <section class="card stack timeline">
      <div class="row spread">
        <h2>Timeline</h2>
        <span class="soft">
          {steps.length} steps in {durationText(scale.totalMs)}
        </span>
      </div>
      {leftOut !== undefined && <p class="soft">{leftOut} older steps are not shown.</p>}
      <Picture scale={scale} marked={marked} onMark={setMarked} />
      <Steps steps={steps} marked={marked} onMark={setMarked} />
    </section>
  );
}

interface Marking {
  readonly marked: readonly number[];
  readonly onMark: (steps: readonly number[]) => void;
}

const percent = (part: number): string => `${part.toFixed(3)}%`;

/** Hidden from screen readers: the table has the same content. */
function Picture({ scale, marked, onMark }: Marking & { readonly scale: Scale }) {
  return (
    <div class="picture" aria-hidden="true">
      <div class="lanes">
        <div class="axis">
          {scale.ticks.map(({ at, text }) => (
            <span key={at} class="tick" style={{ left: percent(at) }}>
              {text}
            </span>
          ))}
        </div>
        {scale.lanes.map((lane) => (
          <div key={lane.track} class="lane" data-track={lane.track}>
            <span class="lane-name">{NAMES[lane.track]}</span>
            <div class="lane-line">
              {lane.bars.map(({ from, width, step }) => (
                <span
                  key={step}
                  class={marked.includes(step) ? "bar-span marked" : "bar-span"}
                  style={{ left: percent(from), width: percent(width) }}
                />
              ))}
              {lane.marks.map(({ at, steps }) => (
                <button
                  key={steps[0]}
                  type="button"
                  tabIndex={-1}
                  class={steps.some((step) => marked.includes(step)) ? "mark marked" : "mark"}
                  style={{ left: percent(at) }}
                  onMouseEnter={() => onMark(steps)}
                  onMouseLeave={() => onMark([])}
                  onClick={() => onMark(steps)}
                >
                  {numbersText(steps)}
                </button>
              ))}
            </div>
          </div>
        ))}
        <div class="cuts">
          {scale.cuts.map(({ at, width, ms }) => (
            <span key={at} class="cut" style={{ left: percent(at), width: percent(width) }}>
              <span class="cut-name">{durationText(ms)}</span>
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

function Steps({ steps, marked, onMark }: Marking & Pick<Timeline, "steps">) {
  const first = epochOf(steps[0]?.at ?? "");
  return (
    <Scrolling class="table" name="Steps">
      <table class="steps">
        <thead>
          <tr>
            <th class="number">Step</th>
            <th class="number">After</th>
            <th>Who</th>
            <th>What</th>
            <th class="number">Took</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ at, track, text, tookMs }, step) => (
            <tr
              key={step}
              class={marked.includes(step) ? "marked" : undefined}
              onMouseEnter={() => onMark([step])}
              onMouseLeave={() => onMark([])}
            >
              <td class="number">{step + 1}</td>
              <td class="number" title={preciseText(at)}>
                {step === 0 ? preciseText(at) : `+ ${durationText(epochOf(at) - first)}`}
              </td>
              <td>
                <span class="track" data-track={track}>
                  {NAMES[track]}
                </span>
              </td>
              <td class="what">{text}</td>
              <td class="number">{tookMs === undefined ? "" : durationText(tookMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
