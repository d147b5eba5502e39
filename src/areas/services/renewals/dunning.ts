import { DAY_MS, HOUR_MS, type Instant, later } from '#lib/time.ts'
import {
  announcedAt,
  isForOperators,
  isMissing,
  type Step,
  WARNING_MS,
  type Warning,
} from '../suspension-notices/rules.ts'

/** What happens when an invoice stays unpaid, in days after it is due (R4.6). */
export type DunningTerms = {
  readonly attemptDays: readonly number[]
  readonly reminderDays: readonly number[]
  readonly suspendDays: number
  readonly terminateDays: number
  /** Days from the termination until a server's data is deleted. */
  readonly deleteDataDays: number
}

export const DEFAULT_DUNNING: DunningTerms = {
  attemptDays: [0, 1, 3, 7],
  reminderDays: [-3, 0, 1, 3, 10],
  suspendDays: 3,
  terminateDays: 14,
  deleteDataDays: 7,
}

/** The times of R4.6 for one invoice. Suspension and termination may come later, never sooner. */
export type DunningSchedule = {
  readonly attemptsAt: readonly Instant[]
  readonly remindersAt: readonly Instant[]
  readonly suspendAt: Instant
  readonly terminateAt: Instant
}

/** When to charge, remind, suspend and terminate for an invoice that stays unpaid (R4.6). */
export function dunningSchedule(dueAt: Instant, terms = DEFAULT_DUNNING): DunningSchedule {
  const at = (days: number) => later(dueAt, days * DAY_MS)
  return {
    attemptsAt: terms.attemptDays.map(at),
    remindersAt: terms.reminderDays.map(at),
    suspendAt: at(terms.suspendDays),
    terminateAt: at(terms.terminateDays),
  }
}

/**
 * When a service may really be suspended: as scheduled, but at the earliest a day after the announcement, so that our
 * own downtime suspends no one without a warning. Null before the announcement (R4.6).
 */
export function suspendableAt(
  { suspendAt }: DunningSchedule,
  announced: Instant | null,
): Instant | null {
  return announced === null ? null : latest(suspendAt, later(announced, WARNING_MS))
}

/**
 * When a service may really be terminated: as scheduled, but at the earliest a day after its suspension and a day after
 * its end was announced. Null until both have happened (R4.6).
 */
export function terminableAt(
  { terminateAt }: DunningSchedule,
  { suspendedAt, announced }: { suspendedAt: Instant | null; announced: Instant | null },
): Instant | null {
  if (suspendedAt === null || announced === null) return null
  return latest(terminateAt, later(latest(suspendedAt, announced), WARNING_MS))
}

/** When the data of a terminated service is deleted (R4.6). */
export function deleteDataAt(terminatedAt: Instant, terms = DEFAULT_DUNNING): Instant {
  return later(terminatedAt, terms.deleteDataDays * DAY_MS)
}

function latest(a: Instant, b: Instant): Instant {
  if (a > b) return a
  return b
}

/** The stored facts about an unpaid period. */
export type DunningFacts = {
  /** Charges and reminders that were started already. */
  readonly charges: number
  readonly reminders: number
  /** The latest notice before the next step: the suspension or, once suspended, the end. */
  readonly warning: Warning | null
  /** When its service was suspended, as the panel confirmed it. */
  readonly suspendedAt: Instant | null
}

/** What is to be done about an unpaid period now, and when to look again. */
export type DunningStep = {
  /** How many charges and reminders the schedule has up to now. */
  readonly charges: number
  readonly reminders: number
  /** Whether one of each is due: those missed during our downtime are not repeated. */
  readonly charge: boolean
  readonly remind: boolean
  /** The next step that a reminder announces, and the earliest day for it. */
  readonly next: Step
  readonly nextStepAt: Instant
  /** The notice before the next step cannot be delivered, and operators do not know yet. */
  readonly tellOperators: boolean
  readonly suspend: boolean
  readonly terminate: boolean
  readonly nextAt: Instant
}

/** An unpaid period that waits for something without a date is looked at this often. */
const LOOK_MS = HOUR_MS

/** The next step about an unpaid period (R4.6). */
export function dunningStep(
  schedule: DunningSchedule,
  facts: DunningFacts,
  now: Instant,
): DunningStep {
  const charges = passed(schedule.attemptsAt, now)
  const reminders = passed(schedule.remindersAt, now)
  const { suspendedAt, warning } = facts
  const announced = announcedAt(warning)
  const step: Step = suspendedAt === null ? 'suspension' : 'end'
  const stepAt = suspendedAt === null ? schedule.suspendAt : schedule.terminateAt
  const suspendAt = suspendedAt === null ? suspendableAt(schedule, announced) : null
  const terminateAt = terminableAt(schedule, { suspendedAt, announced })
  const warnAt = later(stepAt, -WARNING_MS)
  const coming = [...schedule.attemptsAt, ...schedule.remindersAt, warnAt, suspendAt, terminateAt]
  const next = coming.filter((at) => at !== null && at > now).sort()[0] ?? null
  const look = later(now, LOOK_MS)
  const unsettled = now >= schedule.suspendAt || (now >= warnAt && !warning?.sentAt)
  return {
    ...{ charges, reminders, next: step },
    charge: charges > facts.charges,
    remind: reminders > facts.reminders || isMissing(warning, stepAt, now),
    nextStepAt: latest(stepAt, later(now, WARNING_MS)),
    tellOperators: isForOperators(warning, stepAt, now),
    suspend: suspendAt !== null && now >= suspendAt,
    terminate: terminateAt !== null && now >= terminateAt,
    // Near its end, a mail that goes out or a panel that confirms changes what is next.
    nextAt: next === null || (unsettled && look < next) ? look : next,
  }
}

/** The next step for what an ended service still owes: charges and reminders, while any are left. */
export function restStep(
  { attemptsAt, remindersAt }: DunningSchedule,
  facts: Pick<DunningFacts, 'charges' | 'reminders'>,
  now: Instant,
): Pick<DunningStep, 'charges' | 'reminders' | 'charge' | 'remind'> & { nextAt: Instant | null } {
  const charges = passed(attemptsAt, now)
  const reminders = passed(remindersAt, now)
  return {
    ...{ charges, reminders },
    charge: charges > facts.charges,
    remind: reminders > facts.reminders,
    nextAt: [...attemptsAt, ...remindersAt].filter((at) => at > now).sort()[0] ?? null,
  }
}

function passed(instants: readonly Instant[], now: Instant): number {
  return instants.filter((at) => at <= now).length
}
