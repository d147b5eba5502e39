import fs from 'node:fs'
import path from 'node:path'
import { threadId } from 'node:worker_threads'

/** A request of a test and its answer, as they went over the wire. */
export type Exchange = {
  readonly method: string
  readonly path: string
  readonly type: string | null
  readonly body: string | null
  readonly status: number
  readonly answerType: string | null
  readonly answer: string | null
}

/** Where tests that run with `RECORD=1` leave what they sent and received. */
export const EXCHANGES = path.join(
  import.meta.dirname,
  '../../node_modules/.cache/moorage/exchanges',
)

/** Longer ones would not be examples. */
const MOST_CHARACTERS = 2_000_000

/** Whether the exchanges of this run are kept, to make examples of the API document from. */
export const isRecording = Boolean(process.env.RECORD)

/** Keeps an exchange that succeeded. */
export function record(exchange: Exchange): void {
  const { status, body, answer } = exchange
  const length = (body ?? '').length + (answer ?? '').length
  if (status >= 400 || status === 304 || length > MOST_CHARACTERS) return
  fs.mkdirSync(EXCHANGES, { recursive: true })
  const file = path.join(EXCHANGES, `${process.pid}-${threadId}.jsonl`)
  fs.appendFileSync(file, `${JSON.stringify(exchange)}\n`)
}

/** Keeps a webhook that arrived. */
export function recordWebhook(body: string): void {
  const { type } = JSON.parse(body) as { type?: string }
  if (!type) return
  record({
    ...{ method: 'WEBHOOK', path: type, type: 'application/json', body },
    ...{ status: 204, answerType: null, answer: null },
  })
}

/** Everything that was recorded. */
export function recorded(): Exchange[] {
  if (!fs.existsSync(EXCHANGES)) return []
  return fs.readdirSync(EXCHANGES).flatMap((file) =>
    fs
      .readFileSync(path.join(EXCHANGES, file), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Exchange),
  )
}
