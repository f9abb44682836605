import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { RegisterClient } from "../../client/client.ts";
import { systemClock } from "../../kit/system-clock.ts";
import { type Trouble, troubleOf } from "./trouble.ts";

/** A view's data, and the reason why it is outdated. */
export interface Loaded<T> {
  readonly value: T | undefined;
  /** When `value` was read, in epoch milliseconds. */
  readonly readAt: number | undefined;
  readonly trouble: Trouble | undefined;
  readonly isBusy: boolean;
  /** Reads again; during a read, once more after it. */
  reload(): void;
}

interface LoadOptions<T> {
  /** Undefined without a session: the earlier data stays visible. */
  readonly client: RegisterClient | undefined;
  /** Reads the data. A view for another subject needs another `key` on its component. */
  readonly read: (client: RegisterClient) => Promise<T>;
  /** Interval after the last answer. */
  readonly everyMs?: number;
  /** A change triggers a new read. */
  readonly on?: string;
  /** False: reads only on request. */
  readonly atOnce?: boolean;
}

export function useLoad<T>({ client, read, everyMs, on = "", atOnce = true }: LoadOptions<T>): Loaded<T> {
  const [value, setValue] = useState<{ readonly value: T; readonly readAt: number }>();
  const [trouble, setTrouble] = useState<Trouble>();
  const [isBusy, setBusy] = useState(false);
  const latest = useRef(read);
  latest.current = read;
  const again = useRef<() => void>(() => undefined);

  useEffect(() => {
    if (client === undefined) return undefined;
    let isOver = false;
    let isReading = false;
    let isWanted = false;
    let stopTimer = (): void => undefined;
    const once = async (): Promise<void> => {
      try {
        const answer = await latest.current(client);
        if (isOver) return;
        setValue({ value: answer, readAt: systemClock.now() });
        setTrouble(undefined);
      } catch (error) {
        if (!isOver) setTrouble(troubleOf(error));
      }
    };
    const run = async (): Promise<void> => {
      stopTimer();
      if (isReading) {
        isWanted = true;
        return;
      }
      isReading = true;
      setBusy(true);
      do {
        isWanted = false;
        await once();
      } while (isWanted && !isOver);
      isReading = false;
      if (isOver) return;
      setBusy(false);
      if (everyMs !== undefined) stopTimer = systemClock.after(everyMs, () => void run());
    };
    again.current = () => void run();
    if (atOnce) void run();
    return () => {
      isOver = true;
      stopTimer();
      setBusy(false);
      again.current = () => undefined;
    };
  }, [client, on, everyMs, atOnce]);

  const reload = useCallback(() => again.current(), []);
  return { value: value?.value, readAt: value?.readAt, trouble, isBusy, reload };
}

/** An action started by a button: whether it is running, and its latest result. */
export interface Action<T> {
  readonly isBusy: boolean;
  readonly done: T | undefined;
  readonly trouble: Trouble | undefined;
  run(act: () => Promise<T>): void;
}

export function useAction<T>(): Action<T> {
  const [state, setState] = useState<Omit<Action<T>, "run">>({ isBusy: false, done: undefined, trouble: undefined });
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const run = (act: () => Promise<T>): void => {
    const tell = (next: Omit<Action<T>, "run">): void => {
      if (isShown.current) setState(next);
    };
    tell({ isBusy: true, done: undefined, trouble: undefined });
    act().then(
      (done) => tell({ isBusy: false, done, trouble: undefined }),
      (error: unknown) => tell({ isBusy: false, done: undefined, trouble: troubleOf(error) }),
    );
  };
  return { ...state, run };
}
