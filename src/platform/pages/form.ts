import { badRequest } from '#lib/problem.ts'
import type { App } from '../http/index.ts'

const MAX_BYTES = 16 * 1024
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Reads the forms of our own pages: each field once, and nothing that could not be kept. */
export function readForms(app: App): void {
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: MAX_BYTES },
    (_request, bytes: Buffer, done) => {
      try {
        const fields = new URLSearchParams(decoder.decode(bytes))
        const names = [...fields.keys()]
        if (new Set(names).size !== names.length) throw new Error('A field came twice')
        // PostgreSQL keeps no such text.
        if ([...fields].flat().some((it) => it.includes('\0'))) throw new Error('Not storable')
        done(null, Object.fromEntries(fields))
      } catch {
        done(badRequest('The form is malformed.'))
      }
    },
  )
}
