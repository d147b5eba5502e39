import path from 'node:path'

export type Source = { file: string; text: string }

const FLOORS = ['lib', 'platform', 'areas', 'app']

/** What a source file does that the building does not allow: upward imports, foreign writes. */
export function faultsOfSource({ file, text }: Source, order: readonly string[]): string[] {
  const floor = floorOf(file)
  const area = areaOf(file)
  return [
    ...importsOf(text).flatMap((name) => {
      const fault = importFault(file, name, floor, area, order)
      return fault ? [`${file}: ${fault}`] : []
    }),
    ...writesOf(text).flatMap((schema) => {
      const own = area ?? floor
      return schema === own || !isSchema(schema, order) ? [] : [`${file} writes ${schema}`]
    }),
    ...readsOf(text).flatMap((schema) => {
      if (!area || !order.includes(schema)) return []
      return order.indexOf(schema) > order.indexOf(area) ? [`${file} reads ${schema}`] : []
    }),
  ]
}

function isSchema(name: string, order: readonly string[]): boolean {
  return name === 'platform' || name === 'jobs' || order.includes(name)
}

function floorOf(file: string): string {
  return file.split(path.sep)[1] ?? ''
}

function areaOf(file: string): string | null {
  const [, floor, area] = file.split(path.sep)
  return floor === 'areas' ? (area ?? null) : null
}

function importsOf(text: string): string[] {
  const found = text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])([^'"]+)\1/g)
  return [...found].map(([, , name]) => name ?? '')
}

function importFault(
  file: string,
  name: string,
  floor: string,
  area: string | null,
  order: readonly string[],
): string | null {
  if (name.startsWith('.')) {
    const target = path.join(path.dirname(file), name)
    if (area ? areaOf(target) !== area : floorOf(target) !== floor && !isRootFile(file, target)) {
      return `${name} leaves its ${area ? 'area' : 'floor'}`
    }
    return null
  }
  if (!name.startsWith('#')) return null
  const [target = ''] = name.slice(1).split('/')
  const targetFloor = FLOORS.includes(target) ? target : 'areas'
  if (targetFloor === 'areas') {
    if (floor === 'app') return null
    if (!area) return `${name} is on a floor above`
    if (!order.includes(target)) return `${name} is no area`
    return order.indexOf(target) < order.indexOf(area) ? null : `${name} comes after ${area}`
  }
  return FLOORS.indexOf(targetFloor) <= FLOORS.indexOf(floor) ? null : `${name} is on a floor above`
}

/** `main.ts` starts the application, and the application reads the package's own file. */
function isRootFile(file: string, target: string): boolean {
  return file === path.join('src', 'main.ts') || target === 'package.json'
}

const NAME = '([a-z_]+)\\.[a-z_]+'

function writesOf(text: string): string[] {
  return schemasIn(text, [
    new RegExp(`(?:insertInto|updateTable|deleteFrom|mergeInto)\\(\\s*'${NAME}`, 'g'),
    new RegExp(`(?:insertRows|insertNewRows|updateRows)\\(\\s*tx,\\s*'${NAME}`, 'g'),
    new RegExp(`\\b(?:insert into|delete from|merge into|truncate)\\s+${NAME}`, 'gi'),
    new RegExp(`\\bupdate\\s+${NAME}(?:\\s+\\w+)?(?:\\s+as\\s+\\w+)?\\s+set\\b`, 'gi'),
  ])
}

function readsOf(text: string): string[] {
  return schemasIn(text, [
    new RegExp(`(?:selectFrom|[jJ]oin)\\(\\s*\\[?\\s*'${NAME}`, 'g'),
    new RegExp(`\\b(?:from|join)\\s+${NAME}(?![.\\w]*['"])`, 'gi'),
  ])
}

function schemasIn(text: string, patterns: readonly RegExp[]): string[] {
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, schema]) => schema ?? ''),
  )
}
