import { badRequest, type Detail, unprocessable } from '#lib/problem.ts'
import type { Message } from '../../texts/kinds.ts'
import type { Template, TemplateKind, Values } from './kinds.ts'
import { placeholdersOf } from './placeholders.ts'

const PLACEHOLDER = /\{\{\s*([a-z_]+)\s*\}\}/g

function used(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)
}

/**
 * Throws 400 for a text without any letters, and 422 `placeholder_unknown` for a placeholder that the kind does not
 * have and for unpaired braces.
 */
export function assertTemplate(kind: TemplateKind, template: Template): void {
  if (template.text.trim() === '') {
    throw badRequest('The text is empty.', [{ path: 'text', message: 'must not be empty' }])
  }
  const known = placeholdersOf(kind)
  const list = known.map((name) => `{{${name}}}`).join(', ')
  const details: Detail[] = (['subject', 'text'] as const).flatMap((path) => {
    const unknown = new Set(used(template[path]).filter((name) => !known.includes(name)))
    const rest = template[path].replace(PLACEHOLDER, '')
    return [
      ...[...unknown].map((name) => ({
        ...{ path, message: `There is no placeholder {{${name}}}. This mail has ${list}.` },
      })),
      ...(/\{\{|\}\}/.test(rest)
        ? [{ path, message: `A placeholder is written as {{name}}. This mail has ${list}.` }]
        : []),
    ]
  })
  if (details.length === 0) return
  throw unprocessable('A placeholder is not known.', 'placeholder_unknown', details)
}

/** A mail with the text of the shop, or the placeholder because of which it cannot be written. */
export type Written = { readonly message: Message } | { readonly missing: string }

/**
 * The message with the subject and text of a template; rows, button and closing text stay. A value is inserted as
 * it is: a placeholder in it has no effect.
 */
export function writtenBy({ subject, text }: Template, standard: Message, values: Values): Written {
  const missing = [...used(subject), ...used(text)].find((name) => (values[name] ?? null) === null)
  if (missing !== undefined) return { missing }
  const fill = (whole: string) =>
    whole.replace(PLACEHOLDER, (_, name: string) => values[name] ?? '')
  const { title, rows, action = title, after } = standard
  return {
    message: {
      ...{ title: fill(subject).trim(), body: fill(text).trim(), action },
      ...(rows && { rows }),
      ...(after !== undefined && { after }),
    },
  }
}
