import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTexts } from '../texts/index.tsx'
import { answerOf, MoorageError } from './client.ts'
import { ChangedMeanwhile } from './edits.ts'

/** Spread into a call: the same intent sent twice takes effect once. */
export type Intent = {
  readonly headers: { readonly 'Idempotency-Key': string; readonly 'If-Match'?: string }
}

/** One of several calls of a single intent: each has its own idempotency key. */
export function partOf(intent: Intent, part: string): Intent {
  return { headers: { 'Idempotency-Key': `${intent.headers['Idempotency-Key']}-${part}` } }
}

type Call<Input, Output> = (
  input: Input,
  intent: Intent,
) => Promise<{ data?: Output; error?: unknown; response: Response }>

type Options<Input, Output> = {
  /** Keys of the reads that the change makes out of date. */
  readonly changes?: readonly (readonly unknown[])[]
  readonly done?: (output: Output, input: Input) => void
  readonly failed?: (error: Error) => void
}

/**
 * A change through the API. One key stands for one intent: it stays the same until the change succeeds or
 * its input differs, so that pressing again after a broken connection does not order anything twice.
 */
export function useAction<Input, Output>(
  call: Call<Input, Output>,
  { changes = [], done, failed }: Options<Input, Output> = {},
) {
  const queries = useQueryClient()
  const { common } = useTexts()
  const intent = useRef({ input: '', key: crypto.randomUUID() })
  const readAnew = () =>
    Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey })))
  return useMutation<Output, Error, Input>({
    mutationFn: (input) => {
      const text = JSON.stringify(input) ?? ''
      if (text !== intent.current.input) {
        intent.current = { input: text, key: crypto.randomUUID() }
      }
      const keyed = { headers: { 'Idempotency-Key': intent.current.key } }
      return answerOf(call(input, keyed)).catch((error: unknown) => {
        throw isUnreached(error) ? unreached(common.unreached) : error
      })
    },
    onSuccess: async (output, input) => {
      intent.current = { input: '', key: crypto.randomUUID() }
      await readAnew()
      done?.(output, input)
    },
    onError: (error) => {
      // The API refused it: the next call is a new intent.
      if (error instanceof MoorageError && error.status >= 400 && error.status < 500) {
        intent.current.input = ''
      }
      // The object has changed in the meantime: the screen shows an old state of it.
      if (error instanceof ChangedMeanwhile || isConflict(error)) void readAnew()
      failed?.(error)
    },
  })
}

function isConflict(error: unknown): boolean {
  return error instanceof MoorageError && error.status === 409
}

/** Whether the service gave no answer: the connection failed (a `TypeError` of `fetch`), or a proxy answered. */
function isUnreached(error: unknown): boolean {
  if (error instanceof MoorageError) return error.code === 'unreadable' && error.status >= 500
  return error instanceof TypeError
}

/** The error of a call that the service did not answer. Its status is 0. */
function unreached(message: string): MoorageError {
  return new MoorageError(Response.error(), { message })
}

/** The errors of the API for each field of a form; nothing if it was not reached. */
export function detailsOf(error: unknown): MoorageError['details'] {
  return error instanceof MoorageError ? error.details : []
}

/** The details of an error by the last part of their path. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    detailsOf(error).map(({ path, message }) => [path.replace(/^.*[./]/, ''), message]),
  )
}
