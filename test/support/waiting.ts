/** How a test waits: by the machine's clock, or by a simulated one that runs while somebody waits. */
export interface Waiting {
  /** Milliseconds from an arbitrary start. */
  now(): number;
  pause(ms: number): Promise<void>;
  /** As the promise. Rejects with what `problem` says where that is not settled within so many milliseconds. */
  within<T>(ms: number, promise: Promise<T>, problem: () => string): Promise<T>;
}

/** Limits are for what never comes: on a machine that has much else to do everything takes this many times as long. */
const BUSY = 10;

export const realTime: Waiting = {
  now: () => performance.now(),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  within: async (ms, promise, problem) => {
    const late = Promise.withResolvers<never>();
    const limit = setTimeout(() => late.reject(new Error(problem())), BUSY * ms);
    return Promise.race([promise, late.promise]).finally(() => clearTimeout(limit));
  },
};
