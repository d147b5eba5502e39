import { hash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { Type } from 'typebox'
import type { Routes } from '#platform/http/index.ts'
import { sendFile } from '#platform/http/request.ts'
import { namesTag } from '#platform/http/tags.ts'
import { encodingFor } from '#platform/pages/compression.ts'
import { withExamples } from './reference/examples.ts'

const tags = ['System']

const Query = Type.Object({
  examples: Type.Optional(
    Type.Boolean({
      description:
        'Whether to add to each operation a recorded example request and answer, and its call with the TypeScript client.',
    }),
  ),
})

/** The API document. */
export const documentRoutes: Routes = (app) => {
  const served: Partial<Record<'plain' | 'exampled', Prepared>> = {}

  app.route({
    method: 'GET',
    url: '/v1/openapi.json',
    config: { access: 'public', whileSuspended: true },
    schema: {
      tags,
      summary: 'This API as an OpenAPI 3.1 document',
      description: 'With examples it is 50% larger.',
      querystring: Query,
      response: {
        200: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
        304: Type.Unsafe<never>({ description: 'The document has not changed.' }),
      },
    },
    async handler({ headers, query }, reply) {
      const kind = query.examples ? 'exampled' : 'plain'
      const prepared =
        served[kind] ?? prepare(query.examples ? withExamples(app.swagger()) : app.swagger())
      served[kind] = prepared
      const { etag } = prepared
      reply.headers({ etag, 'cache-control': 'public, no-cache', vary: 'accept-encoding' })
      if (namesTag(headers['if-none-match'], etag)) return reply.code(304).send()
      const encoding = encodingFor(headers['accept-encoding'])
      if (encoding) reply.header('content-encoding', encoding)
      return sendFile(reply, 'application/json; charset=utf-8', prepared[encoding ?? 'plain'])
    },
  })
}

/** The document in the encodings it is served in, compressed once. */
type Prepared = { etag: string; plain: Buffer; br: Buffer; gzip: Buffer }

function prepare(document: object): Prepared {
  const text = JSON.stringify(document)
  const plain = Buffer.from(text)
  return {
    etag: `W/"${hash('sha256', text, 'base64url').slice(0, 22)}"`,
    ...{ plain, br: brotliCompressSync(plain, QUICK), gzip: gzipSync(plain, { level: 9 }) },
  }
}

/** The highest quality of Brotli would take seconds, and make the document hardly smaller. */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
