import type { IncomingMessage } from 'node:http'
import { PanelError } from './errors.ts'

const MAX_BYTES = 4 * 1024 * 1024

/** Reads a request to its end. Null for a body longer than any real one. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length <= MAX_BYTES) chunks.push(chunk)
  }
  return length > MAX_BYTES ? null : Buffer.concat(chunks).toString('utf8')
}

/** The fields of a JSON body, texts trimmed and empty ones null. Throws 400 for malformed JSON. */
export function parseBody(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    return isRecord(parsed) ? clean(parsed) : {}
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'Syntax error'
    const detail = `The JSON data passed in the request appears to be malformed: ${reason}`
    throw new PanelError(400, 'BadRequestHttpException', detail)
  }
}

/** Fields of a query string as PHP reads them: `ids[]=1&ids[]=2` is a list. */
export function queryFields(query: URLSearchParams): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [key, value] of query) {
    const list = /^(\w+)\[\d*\]$/.exec(key)?.[1]
    if (list === undefined) fields[key] = value.trim() || null
    else fields[list] = [...(Array.isArray(fields[list]) ? fields[list] : []), value.trim() || null]
  }
  return fields
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function clean(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, cleanValue(value)]))
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() || null
  if (Array.isArray(value)) return value.map(cleanValue)
  return isRecord(value) ? clean(value) : value
}

/** Reads fields that were found valid; a path is dotted. What has another type reads as absent. */
export class Fields {
  readonly #input: Record<string, unknown>

  constructor(input: Record<string, unknown>) {
    this.#input = input
  }

  has(path: string): boolean {
    return locate(this.#input, path).present
  }

  text(path: string): string {
    return this.textOrNull(path) ?? ''
  }

  textOrNull(path: string): string | null {
    const { value } = locate(this.#input, path)
    if (typeof value === 'string') return value
    return typeof value === 'number' ? String(value) : null
  }

  number(path: string): number {
    return this.numberOrNull(path) ?? 0
  }

  numberOrNull(path: string): number | null {
    const { value } = locate(this.#input, path)
    if (value === null || value === undefined || typeof value === 'object') return null
    const number = Number(value)
    return Number.isFinite(number) ? number : null
  }

  flag(path: string, otherwise: boolean): boolean {
    const { present, value } = locate(this.#input, path)
    if (!present || value === null) return otherwise
    return value === true || value === 1 || value === '1'
  }

  numbers(path: string): number[] {
    return this.#list(path).map(Number)
  }

  texts(path: string): string[] {
    return this.#list(path).map(String)
  }

  record(path: string): Record<string, unknown> {
    const { value } = locate(this.#input, path)
    return isRecord(value) && !Array.isArray(value) ? value : {}
  }

  #list(path: string): unknown[] {
    const { value } = locate(this.#input, path)
    return Array.isArray(value) ? value : []
  }
}

/** Finds the value at a dotted path, and whether there is one at all: a null is present. */
export function locate(input: unknown, path: string): { present: boolean; value: unknown } {
  let value = input
  for (const part of path.split('.')) {
    if (!isRecord(value) || !Object.hasOwn(value, part)) return { present: false, value: undefined }
    value = value[part]
  }
  return { present: true, value }
}
