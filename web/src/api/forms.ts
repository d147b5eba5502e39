import { type FormEvent, useState } from 'react'
import { useTexts } from '../texts/index.tsx'
import { fieldErrors, type Intent, useAction } from './actions.ts'
import { useDraft } from './drafts.ts'
import { ChangedMeanwhile, type Edited, merge, sendEdit } from './edits.ts'

type Options<Fields extends object, Secrets extends object, Output> = {
  /** The name of its draft. */
  readonly name: string
  /** The saved values of the fields. */
  readonly saved: Fields
  /** Fields that are not stored in a draft, such as keys. */
  readonly secrets?: Secrets
  readonly call: (
    fields: Fields & Secrets,
    intent: Intent,
  ) => Promise<{ data?: Output; error?: unknown; response: Response }>
  /** The object that the form edits; null for a form that creates one. */
  readonly edits: Edited<Output, Fields> | null
  /** Keys of the queries to invalidate after saving. */
  readonly changes?: readonly (readonly unknown[])[]
  readonly done?: (output: Output, fields: Fields & Secrets) => void
}

/**
 * The fields of a form, their errors and the function that saves them. Input survives a reload; an error is shown
 * at its field, which gets the focus. If someone else changed the fields meanwhile, nothing is saved: the input is
 * merged into the current values, fields that both changed are marked, and the next attempt saves.
 */
export function useForm<Fields extends object, Output, Secrets extends object = object>(
  options: Options<Fields, Secrets, Output>,
) {
  const { name, saved, call, edits, changes = [], done } = options
  const { common } = useTexts()
  const untold = (options.secrets ?? {}) as Secrets
  const draft = useDraft(name, saved)
  const [secrets, setSecrets] = useState<Partial<Secrets>>({})
  const fields = { ...draft.fields, ...untold, ...secrets } as Fields & Secrets
  const [conflicts, setConflicts] = useState<Readonly<Record<string, unknown>>>({})
  const ownOf = (all: Fields & Secrets) =>
    Object.fromEntries(Object.keys(saved).map((it) => [it, all[it as keyof Fields]])) as Fields
  const saving = useAction(
    (all: Fields & Secrets, intent) => {
      const send = (using: Intent) => call(all, using)
      if (!edits) return send(intent)
      return sendEdit({ edited: edits, base: draft.base, wanted: ownOf(all), send }, intent)
    },
    {
      changes,
      done: (output, all) => {
        draft.settle(ownOf(all), edits ? edits.fieldsOf(output) : ownOf(all))
        setSecrets((before) => withoutSent(before, all))
        setConflicts({})
        done?.(output, all)
      },
      failed: (error) => {
        if (!(error instanceof ChangedMeanwhile)) return focusField(fieldErrors(error))
        const found = merge(draft.base, draft.fields, error.fields as Fields)
        draft.rebase(found.fields, error.fields as Fields)
        setConflicts(found.conflicts)
      },
    },
  )
  const refused = fieldErrors(saving.error)
  const marks = Object.keys(conflicts).map((field) => [field, common.changedField])
  const errors = { ...Object.fromEntries(marks), ...refused }
  const set = (change: Partial<Fields & Secrets>) => {
    const isSecret = (key: string) => key in untold
    const entries = Object.entries(change)
    const own = entries.filter(([key]) => isSecret(key))
    const kept = entries.filter(([key]) => !isSecret(key))
    setConflicts((before) =>
      Object.fromEntries(Object.entries(before).filter(([field]) => !(field in change))),
    )
    if (own.length > 0) setSecrets((before) => ({ ...before, ...Object.fromEntries(own) }))
    if (kept.length > 0) draft.set(Object.fromEntries(kept) as Partial<Fields>)
  }
  const inputs = inputsOf<Fields & Secrets>(fields, errors, set)
  return {
    ...inputs,
    text: (field: keyof (Fields & Secrets) & string) => {
      const theirs = conflicts[field]
      const isShown = typeof theirs === 'string' && theirs !== '' && !(field in refused)
      return { ...inputs.text(field), ...(isShown && { error: common.changedTo(theirs) }) }
    },
    fields,
    set,
    errors,
    /** The error that does not belong to a field of the form. */
    fault: faultOf(saving.error, fields),
    isChanged: draft.isChanged || Object.keys(secrets).length > 0,
    isSaving: saving.isPending,
    save: () => saving.mutate(fields),
    submit: (event: FormEvent) => {
      event.preventDefault()
      saving.mutate(fields)
    },
    reset: () => {
      draft.clear(saved)
      setSecrets({})
      setConflicts({})
      saving.reset()
    },
  }
}

/** The props of the fields of a form: name, value, error, and a change handler. */
export function inputsOf<Fields extends object>(
  fields: Fields,
  errors: Readonly<Record<string, string>>,
  set: (change: Partial<Fields>) => void,
) {
  type Name = keyof Fields & string
  const put = (field: Name, value: unknown) => set({ [field]: value } as Partial<Fields>)
  return {
    /** Props of a text field. */
    text: (field: Name) => ({
      name: field,
      value: textOf(fields, field),
      error: errors[field],
      onChange: (event: { currentTarget: { value: string } }) =>
        put(field, event.currentTarget.value),
    }),
    /** Props of a field with one chosen value. */
    choice: (field: Name) => ({
      name: field,
      value: textOf(fields, field) || null,
      error: errors[field],
      onChange: (value: string | null) => put(field, value ?? ''),
    }),
    /** Props of a checkbox or a switch. */
    flag: (field: Name) => ({
      name: field,
      checked: textOf(fields, field) === 'true',
      error: errors[field],
      onChange: (event: { currentTarget: { checked: boolean } }) =>
        put(field, event.currentTarget.checked),
    }),
  }
}

/** Converts an empty text to null. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** The keys and passwords that were typed since `sent` was sent. */
function withoutSent<Secrets extends object>(
  typed: Partial<Secrets>,
  sent: Secrets,
): Partial<Secrets> {
  const since = Object.entries(typed).filter(([key, value]) => sent[key as keyof Secrets] !== value)
  return Object.fromEntries(since) as Partial<Secrets>
}

function focusField(marked: object): void {
  const [first] = Object.keys(marked)
  document.querySelector<HTMLElement>(`[name="${CSS.escape(first ?? '')}"]`)?.focus()
}

function faultOf(error: Error | null, fields: object): Error | null {
  const named = Object.keys(fieldErrors(error))
  return named.length > 0 && named.every((it) => it in fields) ? null : error
}

function textOf(fields: object, name: string): string {
  const value = (fields as Readonly<Record<string, unknown>>)[name]
  return value === undefined || value === null ? '' : String(value)
}
