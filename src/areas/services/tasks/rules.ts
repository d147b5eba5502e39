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

/** The state is never stored: it is derived from what happened. */
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

/** When a task that is created now is due: within the hours that the product defines, by default in a day. */
export function taskDueAt(promiseHours: number | null | undefined, now: Instant): Instant {
  return later(now, (promiseHours ?? FALLBACK_HOURS) * HOUR_MS)
}

/** An action on a service that was delivered. */
type Move = Exclude<TaskAction, 'create' | 'change'>

const ACTIONS: Readonly<Record<Goal, Move>> = {
  active: 'resume',
  suspended: 'suspend',
  ended: 'end',
  deleted: 'end',
}

/** The action of staff that brings a service to a state. */
export function actionFor(goal: Goal): Move {
  return ACTIONS[goal]
}

/** Whether staff do an action for the services of a product; other actions are recorded at once. */
export function isByHand(
  action: Exclude<TaskAction, 'create'>,
  taskActions: readonly ('change' | 'suspend' | 'end')[],
): boolean {
  return taskActions.includes(action === 'resume' ? 'suspend' : action)
}

/** The action that returns a service to its recorded state, after one that was no longer wanted. */
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

/** Throws 409 for a task that is closed, or that another member of staff has claimed. */
export function assertMayClose(task: TaskRow, userId: string): void {
  assertPending(task)
  if (task.claimedBy !== null && task.claimedBy !== userId) {
    throw conflict('Another member of staff has claimed this task.', 'task_claimed')
  }
}

type DetailKey = Pick<DetailRow, 'tenantId' | 'serviceId' | 'position'>

/** A secret is bound to its service as well as to its column, so that it cannot be opened in another customer's row. */
function boundTo(row: Pick<DetailRow, 'tenantId' | 'serviceId'>): string {
  return `handover ${row.tenantId} ${row.serviceId}`
}

/** Details as they are stored: secret ones are sealed. */
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

/** A detail as everyone except its customer sees it. */
export function maskedDetail({ label, value, sealedValue }: Omit<DetailRow, keyof DetailKey>) {
  return { label, value, secret: sealedValue !== null }
}

/** A detail as its customer sees it. */
export function openDetail(secrets: Secrets, row: DetailRow) {
  const { label, value, sealedValue } = row
  const shown = sealedValue === null ? value : secrets.open(sealedValue, boundTo(row))
  return { label, value: shown, secret: sealedValue !== null }
}

/** The column with sealed details. */
export const sealedDetails = sealedColumn(
  'services.handover_details',
  'sealedValue',
  ['tenantId', 'serviceId', 'position'],
  boundTo,
)
