import { Cron } from 'croner'
import { newId } from './message.ts'
import type { PublishHeaders } from './publish-headers.ts'
import { readDestination, readPublishOptions } from './publish-headers.ts'
import type { Schedule, Store } from './store.ts'
import { createTimers } from './timers.ts'
import { RequestError } from './wire.ts'

type ScheduleRequest = { destination: string; headers: PublishHeaders; body: Buffer; callerIp: string }

export type Scheduler = {
  /** Creates the schedule, or overwrites the one of the same `Upstash-Schedule-Id`. Throws a 400 RequestError. */
  put: (request: ScheduleRequest) => Schedule
  remove: (scheduleId: string) => void
  setPaused: (scheduleId: string, isPaused: boolean) => void
  /** Publishes the schedule's message now, whatever the time is. */
  runNow: (scheduleId: string) => void
  /** The next time it runs (epoch ms); undefined when it never does. */
  nextTime: (schedule: Schedule) => number | undefined
  close: () => void
}

type SchedulerOptions = {
  schedules: Store['schedules']
  publish: (schedule: Schedule) => void
  clock: () => number
}

/** A five-field cron expression in UTC, or in the zone of a `CRON_TZ=Area/City ` prefix. Throws a 400 RequestError. */
const parseCron = (text: string): Cron => {
  const [, timezone = 'UTC', pattern = ''] = /^\s*(?:CRON_TZ=(\S+)\s+)?(.*)$/s.exec(text) ?? []
  try {
    const cron = new Cron(pattern.trim(), { timezone, mode: '5-part' })
    cron.nextRun()
    return cron
  } catch (error) {
    throw new RequestError(400, `invalid cron "${text}": ${error instanceof Error ? error.message : String(error)}`)
  }
}

// The rest (the token among them) has no business in a stored schedule.
const publishHeaders = (headers: PublishHeaders): PublishHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name === 'content-type' || name.startsWith('upstash-')))

const buildSchedule = ({ destination, headers, body, callerIp }: ScheduleRequest, createdAt: number): Schedule => {
  const cron = headers['upstash-cron']
  if (cron === undefined) throw new RequestError(400, 'the upstash-cron header is missing')
  parseCron(cron)
  readPublishOptions(headers)
  return {
    scheduleId: headers['upstash-schedule-id'] ?? newId('scd'),
    cron,
    destination: readDestination(destination),
    headers: publishHeaders(headers),
    body: body.toString('base64'),
    callerIp,
    createdAt,
    isPaused: false,
  }
}

/** Runs the stored schedules by the wall clock, never scaled. Times missed while this service was down are not made up. */
export const createScheduler = ({ schedules, publish, clock }: SchedulerOptions): Scheduler => {
  const nextTime = (schedule: Schedule): number | undefined =>
    parseCron(schedule.cron).nextRun(new Date(clock()))?.getTime()

  const arm = (schedule: Schedule): void => {
    const at = schedule.isPaused ? undefined : nextTime(schedule)
    if (at === undefined) timers.stop(schedule.scheduleId)
    else timers.start(schedule.scheduleId, at)
  }
  const require = (scheduleId: string): Schedule => {
    const schedule = schedules.get(scheduleId)
    if (!schedule) throw new RequestError(404, `schedule ${scheduleId} not found`)
    return schedule
  }
  const runNow = (scheduleId: string): void => {
    const schedule = require(scheduleId)
    publish(schedule)
    schedules.patch(scheduleId, { lastScheduleTime: clock() })
  }
  const fire = (scheduleId: string): void => {
    try {
      runNow(scheduleId)
    } catch (error) {
      console.error(`qstash: schedule ${scheduleId} could not be run`, error)
    }
    const schedule = schedules.get(scheduleId)
    if (schedule) arm(schedule)
  }
  const timers = createTimers(fire, clock)
  for (const schedule of schedules.values()) arm(schedule)

  return {
    put: (request) => {
      const schedule = buildSchedule(request, clock())
      schedules.put(schedule.scheduleId, schedule)
      arm(schedule)
      return schedule
    },
    remove: (scheduleId) => {
      schedules.remove(require(scheduleId).scheduleId)
      timers.stop(scheduleId)
    },
    setPaused: (scheduleId, isPaused) => {
      const schedule = require(scheduleId)
      schedules.patch(scheduleId, { isPaused })
      arm({ ...schedule, isPaused })
    },
    runNow,
    nextTime,
    close: timers.close,
  }
}
