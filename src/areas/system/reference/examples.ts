import fs from 'node:fs'
import path from 'node:path'
import { accessTextOf } from '#platform/http/security.ts'
import { ROOT } from '#platform/root.ts'
import { sampleOf } from './samples.ts'

/** The request and response of an operation, recorded in a test. */
export type Example = {
  readonly path: string
  readonly request?: unknown
  readonly status: number
  readonly answer?: unknown
}

type Examples = {
  readonly operations: Readonly<Record<string, Example>>
  readonly webhooks: Readonly<Record<string, unknown>>
}

type Json = Record<string, unknown>
type Content = Record<string, Json>
type Operation = Json & {
  operationId: string
  description?: string
  security?: readonly Record<string, string[]>[]
  requestBody?: Json
  responses: Record<string, Json>
}
type Document = Json & {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>
  components: { responses: Record<string, Json> }
}

const FILE = path.join(ROOT, 'src/areas/system/reference/examples.json')

/**
 * The API document with an example request and response of each operation and each webhook, as tests recorded
 * them, the call of the TypeScript client, and who may call it in a sentence. It is 50% larger than the document
 * without examples.
 */
export function withExamples(document: object): object {
  const examples = JSON.parse(fs.readFileSync(FILE, 'utf8')) as Examples
  const { paths, webhooks, components, ...rest } = document as Document
  const shown = Object.entries(paths).map(([url, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => {
      const example = examples.operations[operation.operationId]
      const place = { url, method, responses: components.responses }
      const told = { ...operation, description: descriptionOf(operation) }
      return [method, example ? exampled(told, example, place) : told]
    })
    return [url, Object.fromEntries(operations)]
  })
  const messages = Object.entries(webhooks).map(([type, { post }]) => {
    const content = withExample(post.requestBody.content, examples.webhooks[type])
    return [type, { post: { ...post, requestBody: { ...post.requestBody, content } } }]
  })
  return {
    ...rest,
    paths: Object.fromEntries(shown),
    webhooks: Object.fromEntries(messages),
    components,
  }
}

/** What an operation does, and who may call it: for readers, who do not see `security`. */
function descriptionOf({ description, security = [] }: Operation): string {
  return [description, accessTextOf(security)].filter(Boolean).join(' ')
}

type Place = { url: string; method: string; responses: Record<string, Json> }

function exampled(
  operation: Operation,
  example: Example,
  { url, method, responses }: Place,
): Operation {
  const { requestBody } = operation
  const { request, status, answer } = example
  const given = operation.responses[status] ?? {}
  const name =
    String(given.$ref ?? '')
      .split('/')
      .at(-1) ?? ''
  const response = responses[name] ?? given
  const source = sampleOf({ url, method, example })
  return {
    ...operation,
    ...(requestBody && {
      requestBody: { ...requestBody, content: withExample(requestBody.content, request) },
    }),
    responses: {
      ...operation.responses,
      ...(response.content !== undefined && {
        [status]: { ...response, content: withExample(response.content, answer) },
      }),
    },
    'x-codeSamples': [{ lang: 'TypeScript', label: '@moorage/client', source }],
  }
}

function withExample(content: unknown, example: unknown): Content {
  const media = Object.entries(content as Content)
  if (example === undefined) return content as Content
  return Object.fromEntries(media.map(([type, it]) => [type, { ...it, example }]))
}
