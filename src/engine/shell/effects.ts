import type { Notice } from "../../card/notice.ts";
import type { IssuerResponse } from "../../emv/issuer-response.ts";
import { findTag } from "../../emv/tlv.ts";
import type { Cancel, Clock } from "../../kit/clock.ts";
import { isForPresentedCard, type Operation, presentedCardOf, type SearchResult } from "../../payment/exchange.ts";
import type { Happening, Owed } from "../../payment/machine.ts";
import { followUpOf, isCardPresent, isTooLateToAsk, isTooLateToSend, type Payment } from "../../payment/state.ts";
import { TOO_OLD } from "../../payment/view.ts";
import { watch } from "../gateway/link-poller.ts";
import { query } from "../gateway/query.ts";
import { isShown, worthOfHint } from "../gateway/webhook-hints.ts";
import type { GatewayOrder } from "../ports.ts";
import { cardReadOf, finalChipDataOf, finalIccOf } from "../terminal/card-reading.ts";
import { askOut } from "../terminal/card-removal.ts";
import { collect } from "../terminal/collect.ts";
import { pinRequest } from "../terminal/collect-request.ts";
import { isEnding } from "../terminal/device.ts";
import { release } from "../terminal/release.ts";
import type { EffectPorts } from "./effect-ports.ts";
import type { Mailbox, SealedCard } from "./mailbox.ts";
import { EngineStopping } from "./stopping.ts";

const nothing: Cancel = () => undefined;

/** Performs an owed effect; its result is an input of the same mailbox. Nothing here throws or rejects. */
export function perform(ports: EffectPorts, mailbox: Mailbox, effect: Owed): Cancel {
  const { accepted } = mailbox.payment();
  switch (effect.do) {
    case "lease":
      return lease(ports, mailbox);
    case "collect":
      return collectInTime(ports, mailbox);
    case "ask-pin":
      ports.devices.begin(accepted.terminal, { do: "ask-pin", request: pinRequest(mailbox.payment()) }, (notice) =>
        heard(mailbox, notice),
      );
      return nothing;
    case "await-original":
      return ports.originals.await(effect.original, accepted.id, (targets) =>
        mailbox.put({ on: "original-known", targets }),
      );
    case "tell-originals":
      ports.originals.tell(effect.originals, followUpOf(mailbox.payment())).then(
        () => mailbox.put({ on: "original-told" }),
        // A stopping bridge leaves this to the next start.
        (cause: unknown) => (cause instanceof EngineStopping ? undefined : mailbox.fail(cause)),
      );
      return nothing;
    case "call-off":
      ports.devices.begin(accepted.terminal, { do: "cancel" }, (notice) => calledOff(mailbox, notice));
      return nothing;
    case "complete":
      complete(ports, mailbox, effect.issuer);
      return nothing;
    case "post":
      post(ports, mailbox, effect.operation, effect.deadlineMs);
      return nothing;
    case "search":
      return search(ports, mailbox, effect);
    case "watch":
      return watch(ports, mailbox, effect.link, effect.watching);
    case "release":
      return release(ports, mailbox, effect.show);
    case "wake":
      return atTime(ports.clock, mailbox, effect.at, () => mailbox.put({ on: "woken" }));
  }
}

/** Longest single timer, 20 days: a Node timer above 24.8 days fires at once. */
const TIMER_MAX_MS = 20 * 24 * 3_600_000;

/** Runs once the payment's time reaches `at`. Timers may fire slightly early, so the time is checked again. */
function atTime(clock: Clock, mailbox: Mailbox, at: number, run: () => void): Cancel {
  let cancel = nothing;
  const arm = (): void => {
    const left = at - mailbox.now();
    cancel = clock.after(Math.min(Math.max(0, left), TIMER_MAX_MS), () => (mailbox.now() >= at ? run() : arm()));
  };
  arm();
  return () => cancel();
}

/**
 * A terminal that reports its slot does so this soon after it is ready. Other terminals delay the first sale no longer
 * than this.
 */
const SLOT_TOLD_MS = 500;

/** The payment would not wait for its terminal: its card can be asked for now. */
export function isFreeAtOnce({ leases, devices }: EffectPorts, { accepted }: Payment): boolean {
  const { terminal } = accepted;
  const isWaitedFor = devices.isRestarting(terminal) || devices.isDoubted(terminal) || devices.isForgotten(terminal);
  return isCardPresent(accepted) && !leases.isClosed() && leases.holder(terminal) === undefined && !isWaitedFor;
}

/** Leases the terminal once it is free, has finished an announced restart, and holds no card of another customer. */
function lease(ports: EffectPorts, mailbox: Mailbox): Cancel {
  const { leases, devices, clock } = ports;
  const { id, terminal, rules } = mailbox.payment().accepted;
  const waits: Cancel[] = [];
  const take = (): void => {
    // A stopping bridge starts nothing new.
    if (!leases.isClosed()) mailbox.put({ on: "leased" });
  };
  const lookAtSlot = (): void => {
    if (!devices.isForgotten(terminal)) {
      take();
      return;
    }
    waits.push(...askOut(ports, mailbox, rules.cardMs, take));
  };
  // A newly connected terminal is about to report its slot, if it can.
  const hearOfSlot = (): void => {
    if (!devices.isDoubted(terminal)) {
      lookAtSlot();
      return;
    }
    const look = (): void => {
      for (const stop of hearing.splice(0)) stop();
      lookAtSlot();
    };
    const hearing = [clock.after(SLOT_TOLD_MS, look), devices.whenTold(terminal, look)];
    waits.push(...hearing);
  };
  const place = leases.ask(terminal, id, () => void waits.push(devices.whenRestarted(terminal, hearOfSlot)));
  if (place === "queued" || devices.isRestarting(terminal)) mailbox.put({ on: "queued" });
  return () => {
    for (const stop of waits) stop();
    if (!mailbox.payment().leased) leases.giveBack(terminal, id);
  };
}

/** Turns a notice into an input. Clear card data becomes a fact; sealed data stays in memory. */
function heard(mailbox: Mailbox, notice: Notice): void {
  if (notice.on === "prompt") {
    mailbox.show({ code: notice.prompt, ...(notice.swipe && { swipe: notice.swipe }) });
    return;
  }
  if (notice.on === "card") {
    const { sred, pin } = notice.card;
    mailbox.seal({ sred, pin });
  }
  if (notice.on === "pin") mailbox.seal({ pin: notice.pin });
  const what = happeningOf(notice, mailbox.payment());
  if (what !== undefined) mailbox.put(what);
}

function happeningOf(notice: Exclude<Notice, { on: "prompt" }>, { ask, card }: Payment): Happening | undefined {
  switch (notice.on) {
    case "card":
      return { on: "card", card: cardReadOf(notice.card, ask) };
    case "pin":
      return { on: "pin" };
    case "no-card":
      return { on: "no-card", why: notice.why };
    case "finished":
      return finishedOf(notice, card);
    case "cancelled":
      return { on: "cancelled", by: notice.by };
    case "fault":
      return { on: "terminal-failed", code: notice.code, detail: notice.detail };
    case "ready":
    case "done":
    case "slot":
    case "slot-untold":
    case "restart-soon":
      return undefined;
  }
}

function finishedOf({ verdict, emv }: Extract<Notice, { on: "finished" }>, card: Payment["card"]): Happening {
  const icc = verdict === "approved" ? finalIccOf(emv, card) : undefined;
  return { on: "finished", verdict, chip: finalChipDataOf(emv, card), ...(icc !== undefined && { icc }) };
}

/**
 * A chip card removed early has not declined: empty slot, no second cryptogram. Sealed data never shows one, so the
 * slot must have been empty before.
 */
function complete({ devices }: EffectPorts, mailbox: Mailbox, issuer: IssuerResponse): void {
  const { accepted, card } = mailbox.payment();
  const isEmpty = (): boolean => card?.entryMode === "ICC" && devices.isEmpty(accepted.terminal);
  const wasEmpty = isEmpty();
  devices.begin(accepted.terminal, { do: "complete", issuer }, (notice) => {
    const isSilent =
      notice.on === "finished" && notice.verdict === "declined" && findTag(notice.emv, "9F26") === undefined;
    if (isSilent && (wasEmpty || (card?.icc !== "" && isEmpty()))) {
      mailbox.put({ on: "finished", verdict: "declined", chip: finalChipDataOf(notice.emv, card), removed: true });
    } else heard(mailbox, notice);
  });
}

/** After a cancel with any result, the payment no longer waits for the device. */
function calledOff(mailbox: Mailbox, notice: Notice): void {
  if (!isEnding(notice)) return;
  if (notice.on === "fault") mailbox.put({ on: "terminal-failed", code: notice.code, detail: notice.detail });
  else mailbox.put({ on: "cancelled", by: "register" });
}

function collectInTime(ports: EffectPorts, mailbox: Mailbox): Cancel {
  if (isTooLateToAsk(mailbox.payment(), mailbox.now())) {
    mailbox.put({
      on: "terminal-failed",
      code: TOO_OLD,
      detail: "the journal could not be written until the request was too old",
    });
    return nothing;
  }
  ports.gateway.warm();
  return collect(ports, mailbox, (notice) => heard(mailbox, notice));
}

function post(ports: EffectPorts, mailbox: Mailbox, operation: Operation, deadlineMs: number): void {
  const { merchantTransactionId } = operation;
  const isOfCard = isForPresentedCard(operation);
  const put = (answer: Extract<Happening, { on: "answer" }>["answer"]): void => {
    if (answer.is === "throttled") ports.budget.throttled(operation.entityId);
    mailbox.put({ on: "answer", merchantTransactionId, answer });
  };
  if (isOfCard) mailbox.show({ code: "PROCESSING" });
  if (isTooLateToSend(mailbox.payment(), operation, mailbox.now())) {
    put({
      is: "not-booked",
      why: "not-sent",
      tooLate: true,
      resultCode: "",
      description: "not sent: nobody waits for it any more",
    });
    return;
  }
  const sealed = isOfCard ? mailbox.sealed() : undefined;
  const order: GatewayOrder = {
    ...orderOf(mailbox.payment(), operation),
    ...(sealed !== undefined && { sealed: given(sealed) }),
  };
  ports.gateway
    .post(order, deadlineMs)
    .then(put, (cause: unknown) => put({ is: "unknown", description: `no answer: ${String(cause)}` }));
}

function given({ sred, pin }: SealedCard): NonNullable<GatewayOrder["sealed"]> {
  return { ...(sred !== undefined && { sred }), ...(pin !== undefined && { pin }) };
}

/** Captures and reversals of a chip payment repeat the card data (gateway-facts 4.4), but never the sealed part. */
function orderOf(payment: Payment, operation: Operation): GatewayOrder {
  const { accepted } = payment;
  const card = presentedCardOf(payment);
  return {
    operation,
    channel: accepted.channel,
    device: accepted.device,
    parameters: accepted.parameters,
    ...(card !== undefined && { card }),
  };
}

function search(ports: EffectPorts, mailbox: Mailbox, effect: Extract<Owed, { do: "search" }>): Cancel {
  const { id, channel, rules } = mailbox.payment().accepted;
  const { merchantTransactionId, original, urgency } = effect;
  const searched = (result: SearchResult): void => mailbox.put({ on: "searched", merchantTransactionId, result });
  let leaveLine = nothing;
  const joinLine = (heard: (result: SearchResult) => void): void => {
    leaveLine();
    leaveLine = query(ports, { channel, of: original, turn: urgency, deadlineMs: rules.hostAnswerMs }, heard);
  };
  const search = (): void => {
    stopWaiting();
    joinLine(searched);
  };
  const glance = (): void =>
    joinLine((result) => (isShown(result, merchantTransactionId) ? searched(result) : undefined));
  const stopTimer = atTime(ports.clock, mailbox, effect.at, search);
  const hinted = { search, glance, nothing: undefined }[worthOfHint(mailbox.payment(), merchantTransactionId)];
  const stopListening = hinted === undefined ? nothing : ports.hints.whenGiven(id, hinted);
  const stopWaiting = (): void => {
    stopTimer();
    stopListening();
  };
  return () => {
    stopWaiting();
    leaveLine();
  };
}
