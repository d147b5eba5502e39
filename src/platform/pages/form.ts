import type { FastifyRequest } from 'fastify'
import { badRequest } from '#lib/problem.ts'
import type { App } from '../http/index.ts'

export type FormFields = Readonly<Record<string, string>>

const TYPE = 'application/x-www-form-urlencoded'
const MAX_BYTES = 16 * 1024
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads the forms of our own pages: each field once, and only text that can be stored. */
export function readForms(app: App): void {
  app.addContentTypeParser(
    TYPE,
    { parseAs: 'buffer', bodyLimit: MAX_BYTES },
    (_request, bytes: Buffer, done) => {
      const fields = fieldsIn(bytes)
      if (fields) done(null, fields)
      else done(badRequest('The form is malformed.'))
    },
  )
}

/** The fields of a form that was refused, also before its body was read; null for a malformed or too long one. */
export async function refusedForm({
  body,
  headers,
  raw,
}: FastifyRequest): Promise<FormFields | null> {
  if (!headers['content-type']?.startsWith(TYPE)) return null
  if (body) return body as FormFields
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of raw as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_BYTES) return null
      chunks.push(chunk)
    }
  } catch {
    return null
  }
  return fieldsIn(Buffer.concat(chunks))
}

function fieldsIn(bytes: Buffer): FormFields | null {
  try {
    const fields = new URLSearchParams(decoder.decode(bytes))
    const names = [...fields.keys()]
    if (new Set(names).size !== names.length) return null
    // PostgreSQL cannot store NUL.
    if ([...fields].flat().some((it) => it.includes('\0'))) return null
    return Object.fromEntries(fields)
  } catch {
    return null
  }
}
