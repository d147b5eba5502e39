import assert from 'node:assert/strict'
import { Fields, isRecord, locate } from './http/input.ts'
import { type PanelOptions, type RunningPanel, startPanel } from './server.ts'

/** One answer, its JSON readable by dotted paths. */
export type Answer = {
  status: number
  headers: Headers
  text: string
  body: Record<string, unknown>
  fields: Fields
}

type Send = (method: string, path: string, body?: unknown) => Promise<Answer>

export type TestPanel = RunningPanel & {
  /** Calls below `/api/application`, with a key that may do everything. */
  app: Send
  /** Calls below `/api`, with the account key of an administrator. */
  client: Send
  /** Calls below `/_sandbox`; fails the test unless the answer is 200. */
  control: Send
  /** Calls any path with any key. */
  as: (token: string) => Send
  newUser: (name?: string) => Promise<number>
  newServer: (changes?: Record<string, unknown>) => Promise<Answer>
}

/** A test, or the end of a whole file. */
type Ending = { after(end: () => Promise<void>): void }

/** Starts a panel for one test or file, and stops it after. */
export async function testPanel(t: Ending, options: PanelOptions = {}): Promise<TestPanel> {
  const panel = await startPanel({ installSeconds: 60, portsPerNode: 20, ...options })
  t.after(panel.close)
  const as = (token: string) => sender(panel.url, token)
  const under = (prefix: string, send: Send): Send => {
    return (method, path, body) => send(method, prefix + path, body)
  }
  const app = under('/api/application', as(panel.applicationKey))
  const control: Send = async (method, path, body) => {
    const answer = await under('/_sandbox', as(panel.controlToken))(method, path, body)
    assert.equal(answer.status, 200, answer.text)
    return answer
  }
  const newUser = async (name = `user${Math.random().toString(36).slice(2, 10)}`) => {
    const answer = await app('POST', '/users', userBody(name))
    assert.equal(answer.status, 201, answer.text)
    return answer.fields.number('attributes.id')
  }
  const newServer = async (changes: Record<string, unknown> = {}) => {
    const user = changes.user ?? (await newUser())
    return app('POST', '/servers?include=allocations', serverBody({ user, ...changes }))
  }
  const client = under('/api', as(panel.clientKey))
  return { ...panel, app, client, control, as, newUser, newServer }
}

export function userBody(name: string, changes: Record<string, unknown> = {}) {
  const email = `${name}@example.com`
  return { email, username: name, first_name: name, last_name: 'Example', ...changes }
}

/** The seventh egg of the seed is Paper. */
export const PAPER = 7

export const PAPER_ENVIRONMENT = {
  MINECRAFT_VERSION: 'latest',
  SERVER_JARFILE: 'server.jar',
  DL_PATH: '',
  BUILD_NUMBER: 'latest',
}

export const LIMITS = { memory: 1024, swap: 0, disk: 2048, io: 500, cpu: 100, threads: null }

export function serverBody(changes: Record<string, unknown> = {}) {
  const deploy = { locations: [], dedicated_ip: false, port_range: [] }
  return {
    name: 'A world',
    user: 1,
    egg: PAPER,
    docker_image: 'ghcr.io/pterodactyl/yolks:java_21',
    startup: 'java -jar {{SERVER_JARFILE}}',
    environment: PAPER_ENVIRONMENT,
    limits: LIMITS,
    feature_limits: { databases: 1, allocations: 1, backups: 2 },
    ...('allocation' in changes ? {} : { deploy }),
    ...changes,
  }
}

/** The attributes of every item of a list. */
export function rows(list: unknown): Record<string, unknown>[] {
  const { value } = locate(list, 'data')
  assert.ok(Array.isArray(value), 'not a list')
  return value.map((item) => {
    const { value: attributes } = locate(item, 'attributes')
    assert.ok(isRecord(attributes))
    return attributes
  })
}

/** Fields and rules of a 422, as `field/rule`. */
export function failures(answer: Answer): string[] {
  assert.equal(answer.status, 422, answer.text)
  const { value } = locate(answer.body, 'errors')
  assert.ok(Array.isArray(value))
  return value.map((error) => {
    const meta = new Fields({ error })
    return `${meta.text('error.meta.source_field')}/${meta.text('error.meta.rule')}`
  })
}

/** Asserts the one error of an answer: its status, as a number and as text, and its code. */
export function assertError(answer: Answer, status: number, code: string, detail?: RegExp): void {
  assert.equal(answer.status, status, answer.text)
  assert.partialDeepStrictEqual(answer.body, { errors: [{ code, status: String(status) }] })
  if (detail) assert.match(answer.fields.text('errors.0.detail'), detail)
}

export function sender(url: string, token: string | null): Send {
  return async (method, path, body) => {
    const headers: Record<string, string> = { accept: 'application/vnd.pterodactyl.v1+json' }
    if (token !== null) headers.authorization = `Bearer ${token}`
    if (body !== undefined) headers['content-type'] = 'application/json'
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const request = { method, headers, redirect: 'manual' as const }
    const response = await fetch(
      url + path,
      text === undefined ? request : { ...request, body: text },
    )
    return answerOf(response)
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  const parsed = isJson ? parsedOrNull(text) : null
  const body = isRecord(parsed) ? parsed : {}
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    fields: new Fields(body),
  }
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
