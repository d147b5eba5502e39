import type { Example } from './examples.ts'

type Call = { url: string; method: string; example: Example }

/** The call of an operation with the TypeScript client, with the values of its example. */
export function sampleOf({ url, method, example }: Call): string {
  const { path, query } = parametersOf(url, example.path)
  const params = {
    ...(Object.keys(path).length > 0 && { path }),
    ...(Object.keys(query).length > 0 && { query }),
  }
  const isObject = typeof example.request === 'object' && example.request !== null
  const options = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(isObject && { body: example.request }),
  }
  const more = Object.keys(options).length > 0 ? `, ${literalOf(options)}` : ''
  const call = `shop.${method.toUpperCase()}('${url}'${more})`
  return [
    `import { answerOf, moorage } from '@moorage/client'`,
    '',
    `const shop = moorage({ url: 'https://shop.example.com', credential: process.env.MOORAGE_KEY })`,
    `const answer = await answerOf(${call})`,
  ].join('\n')
}

function parametersOf(url: string, sent: string) {
  const { pathname, searchParams } = new URL(sent, 'https://shop.example.com')
  const values = pathname.split('/')
  const named = url.split('/').flatMap((part, index) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    return name ? [[name, decodeURIComponent(values[index] ?? '')] as const] : []
  })
  const query = [...searchParams].map(([name, value]) => [name, typed(value)] as const)
  return { path: Object.fromEntries(named), query: Object.fromEntries(query) }
}

/** Query parameters are strings in a URL, and numbers and booleans in the client. */
function typed(value: string): string | number | boolean {
  if (value === 'true' || value === 'false') return value === 'true'
  return /^\d{1,9}$/.test(value) ? Number(value) : value
}

/** A value as a TypeScript programmer writes it. */
function literalOf(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((it) => literalOf(it, inner))
    : Object.entries(value).map(([name, it]) => `${keyOf(name)}: ${literalOf(it, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (parts.length === 0) return `${open}${close}`
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`
  if (line.length + indent.length <= 60 && !line.includes('\n')) return line
  return `${open}\n${parts.map((it) => `${inner}${it},\n`).join('')}${indent}${close}`
}

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1)
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
