import { detail, unprocessable } from '#lib/problem.ts'
import type { Row } from '#platform/database/index.ts'

export type ReplyRow = Row<'support.saved_replies'>
export type ReplyActions = ReplyRow['actions']

/** The names that a saved reply may have between `{{` and `}}`. */
export const PLACEHOLDERS = [
  ...(['customer.firstName', 'customer.name', 'ticket.number', 'service.name'] as const),
  ...(['staff.firstName', 'shop.name'] as const),
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

const KNOWN = new RegExp(`\\{\\{(${PLACEHOLDERS.join('|').replaceAll('.', '\\.')})\\}\\}`, 'g')
const OTHER = /\{\{[^{}\n]{0,40}\}{0,2}/

/** Throws 422 `unknown_placeholder` for a text with two opening braces that are not a placeholder. */
export function assertPlaceholders(texts: Readonly<Record<string, string>>): void {
  const details = Object.entries(texts).flatMap(([locale, text]) => {
    const [unknown] = OTHER.exec(text.replace(KNOWN, ' ')) ?? []
    return unknown === undefined
      ? []
      : [detail(`texts.${locale}`, { kind: 'no_placeholder', name: unknown })]
  })
  if (details.length === 0) return
  throw unprocessable('There is no such placeholder.', 'unknown_placeholder', details)
}

export type Values = Readonly<Record<Placeholder, string>>

/**
 * A text with values in place of its placeholders, and those that have none. Each placeholder is replaced once: what
 * a value contains stays as it is.
 */
export function filled(text: string, values: Values): { text: string; missing: Placeholder[] } {
  const missing = PLACEHOLDERS.filter((it) => values[it] === '' && text.includes(`{{${it}}}`))
  return { text: text.replace(KNOWN, (_, name: Placeholder) => values[name]), missing }
}

/** What is left of the actions of a reply without those that the author of the answer has removed. */
export function actionsWithout(actions: ReplyActions, removed: readonly Action[]): ReplyActions {
  const has = (action: Action) => !removed.includes(action)
  return {
    ...(has('next') ? actions : { ...actions, next: null, holdHours: null }),
    priority: has('priority') ? actions.priority : null,
    assigneeId: has('assignee') ? actions.assigneeId : null,
    assignToMe: has('assignee') && actions.assignToMe,
    departmentId: has('department') ? actions.departmentId : null,
    tags: has('tags') ? actions.tags : [],
  }
}

/** The actions that the author of an answer may remove. */
export const ACTIONS = ['next', 'priority', 'assignee', 'department', 'tags'] as const
export type Action = (typeof ACTIONS)[number]
