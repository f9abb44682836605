import type { Endpoint } from "../endpoint.ts";
import { requestProblems } from "../parameters.ts";
import { descheduleProblems, rescheduleProblems, scheduleProblems } from "./schedule-parameters.ts";
import { prepareDeschedule, prepareReschedule, prepareSchedule, prepareScheduleReading } from "./schedules.ts";

/**
 * Subscription jobs (specification, "Scheduling"; gateway facts, 2.1), without published addresses. Tenants name those
 * below /scheduling; older ones those without, with DELETE to deschedule.
 */
function endpointsUnder(path: string): readonly Endpoint[] {
  return [
    {
      method: "POST",
      path,
      caller: "merchant",
      paymentType: "SD",
      problems: scheduleProblems,
      prepare: prepareSchedule,
    },
    {
      method: "GET",
      path: `${path}/{id}`,
      caller: "merchant",
      problems: (sent) => requestProblems("read", sent),
      prepare: prepareScheduleReading,
    },
    {
      method: "POST",
      path: `${path}/{id}/reschedule`,
      caller: "merchant",
      paymentType: "RS",
      problems: rescheduleProblems,
      prepare: prepareReschedule,
    },
    {
      method: "POST",
      path: `${path}/{id}/deschedule`,
      caller: "merchant",
      paymentType: "DS",
      problems: descheduleProblems,
      prepare: prepareDeschedule,
    },
    {
      ...{ method: "DELETE", path: `${path}/{id}`, caller: "merchant", paymentType: "DS" },
      problems: (sent) => requestProblems("deletion", sent),
      prepare: prepareDeschedule,
    },
  ];
}

export const scheduleEndpoints: readonly Endpoint[] = ["/v1/schedules", "/scheduling/v1/schedules"].flatMap(
  endpointsUnder,
);
