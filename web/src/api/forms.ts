import { type FormEvent, useState } from 'react'
import { fieldErrors, type Intent, useAction } from './actions.ts'
import type { MoorageError } from './client.ts'
import { useDraft } from './drafts.ts'

type Options<Fields extends object, Secrets extends object, Output> = {
  /** The name of its draft. */
  readonly name: string
  /** The saved values of the fields. */
  readonly saved: Fields
  /** Fields that no draft keeps, such as keys. */
  readonly secrets?: Secrets
  readonly call: (
    fields: Fields & Secrets,
    intent: Intent,
  ) => Promise<{ data?: Output; error?: unknown; response: Response }>
  /** Keys of the queries to invalidate after saving. */
  readonly changes?: readonly (readonly unknown[])[]
  readonly done?: (output: Output, fields: Fields & Secrets) => void
}

/**
 * The fields of a form, their errors and the function that saves them. Input survives a reload; an error is shown
 * at its field, which gets the focus.
 */
export function useForm<Fields extends object, Output, Secrets extends object = object>(
  options: Options<Fields, Secrets, Output>,
) {
  const { name, saved, call, changes = [], done } = options
  const untold = (options.secrets ?? {}) as Secrets
  const draft = useDraft(name, saved)
  const [secrets, setSecrets] = useState<Partial<Secrets>>({})
  const fields = { ...draft.fields, ...untold, ...secrets } as Fields & Secrets
  const saving = useAction((wanted: Fields & Secrets, intent) => call(wanted, intent), {
    changes,
    done: (output, wanted) => {
      draft.clear(
        Object.fromEntries(
          Object.keys(saved).map((it) => [it, wanted[it as keyof Fields]]),
        ) as Fields,
      )
      setSecrets({})
      done?.(output, wanted)
    },
    failed: focusFirst,
  })
  const errors = fieldErrors(saving.error)
  const set = (change: Partial<Fields & Secrets>) => {
    const isSecret = (key: string) => key in untold
    const entries = Object.entries(change)
    const own = entries.filter(([key]) => isSecret(key))
    const kept = entries.filter(([key]) => !isSecret(key))
    if (own.length > 0) setSecrets((before) => ({ ...before, ...Object.fromEntries(own) }))
    if (kept.length > 0) draft.set(Object.fromEntries(kept) as Partial<Fields>)
  }
  return {
    fields,
    set,
    errors,
    error: saving.error,
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
      saving.reset()
    },
    ...inputsOf<Fields & Secrets>(fields, errors, set),
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
      onChange: (event: { currentTarget: { checked: boolean } }) =>
        put(field, event.currentTarget.checked),
    }),
  }
}

/** Converts an empty text to null. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

function focusFirst(error: MoorageError): void {
  const [first] = Object.keys(fieldErrors(error))
  document.querySelector<HTMLElement>(`[name="${CSS.escape(first ?? '')}"]`)?.focus()
}

function faultOf(error: MoorageError | null, fields: object): string | null {
  if (!error) return null
  const named = Object.keys(fieldErrors(error))
  return named.length > 0 && named.every((it) => it in fields) ? null : error.message
}

function textOf(fields: object, name: string): string {
  const value = (fields as Readonly<Record<string, unknown>>)[name]
  return value === undefined || value === null ? '' : String(value)
}
