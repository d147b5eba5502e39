import { conflict } from '#lib/problem.ts'
import { HOUR_MS, type Instant, later } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import { sealedColumn } from '#platform/resealing.ts'
import type { Secrets } from '#platform/secrets.ts'
import type { Goal } from '../states/rules.ts'
import type { NewDetail, TaskAction, TaskState } from './schema.ts'

export type TaskRow = Row<'services.tasks'>
export type DetailRow = Row<'services.handover_details'>

type Facts = Pick<TaskRow, 'claimedAt' | 'doneAt' | 'failedAt' | 'canceledAt'>

/** Never stored: the state follows from what happened. */
export function taskStateOf({ claimedAt, doneAt, failedAt, canceledAt }: Facts): TaskState {
  if (doneAt) return 'done'
  if (failedAt) return 'failed'
  if (canceledAt) return 'canceled'
  return claimedAt ? 'claimed' : 'open'
}

/** Whether something is still to be done. */
export function isPending(task: Facts): boolean {
  const state = taskStateOf(task)
  return state === 'open' || state === 'claimed'
}

const FALLBACK_HOURS = 24

/** When a task that is created now is due: the product says within how many hours, by default in a day. */
export function taskDueAt(promiseHours: number | null | undefined, now: Instant): Instant {
  return later(now, (promiseHours ?? FALLBACK_HOURS) * HOUR_MS)
}

/** What is done to a service that was delivered. */
type Move = Exclude<TaskAction, 'create' | 'change'>

const ACTIONS: Readonly<Record<Goal, Move>> = {
  active: 'resume',
  suspended: 'suspend',
  ended: 'end',
  deleted: 'end',
}

/** What staff do to bring a service to a state. */
export function actionFor(goal: Goal): Move {
  return ACTIONS[goal]
}

/** Whether staff make a move of the services of a product; all others are recorded at once. */
export function isByHand(
  action: Exclude<TaskAction, 'create'>,
  taskActions: readonly ('change' | 'suspend' | 'end')[],
): boolean {
  return taskActions.includes(action === 'resume' ? 'suspend' : action)
}

/** What brings a service back to what is recorded of it, after a move that was not wanted any more. */
export function restoringAction({
  suspendedAt,
}: {
  suspendedAt: Instant | null
}): 'suspend' | 'resume' {
  return suspendedAt ? 'suspend' : 'resume'
}

/** Throws 409 for a task that is done, failed or canceled. */
export function assertPending(task: Facts): void {
  if (isPending(task)) return
  throw conflict(`This task is ${taskStateOf(task)}.`, 'task_closed')
}

/** Throws 409 for a task that is closed, or that somebody else has claimed. */
export function assertMayClose(task: TaskRow, userId: string): void {
  assertPending(task)
  if (task.claimedBy !== null && task.claimedBy !== userId) {
    throw conflict('Somebody else has claimed this task.', 'task_claimed')
  }
}

type DetailKey = Pick<DetailRow, 'tenantId' | 'serviceId' | 'position'>

/** Bound to the service as well as to the place: no secret opens in another customer's row. */
function boundTo(row: Pick<DetailRow, 'tenantId' | 'serviceId'>): string {
  return `handover ${row.tenantId} ${row.serviceId}`
}

/** What is kept of details: those that are secret sealed. */
export function keptDetails(
  secrets: Secrets,
  { tenantId, id: serviceId }: { tenantId: string; id: string },
  details: readonly NewDetail[],
): DetailRow[] {
  return details.map(({ label, value, secret = false }, position) => {
    const key: DetailKey = { tenantId, serviceId, position }
    return {
      ...{ ...key, label },
      value: secret ? null : value,
      sealedValue: secret ? secrets.seal(value, boundTo(key)) : null,
    }
  })
}

/** A detail as everybody but its customer sees it. */
export function maskedDetail({ label, value, sealedValue }: Omit<DetailRow, keyof DetailKey>) {
  return { label, value, secret: sealedValue !== null }
}

/** A detail as its customer sees it. */
export function openDetail(secrets: Secrets, row: DetailRow) {
  const { label, value, sealedValue } = row
  const shown = sealedValue === null ? value : secrets.open(sealedValue, boundTo(row))
  return { label, value: shown, secret: sealedValue !== null }
}

/** Where secret details are sealed. */
export const sealedDetails = sealedColumn(
  'services.handover_details',
  'sealedValue',
  ['tenantId', 'serviceId', 'position'],
  boundTo,
)
