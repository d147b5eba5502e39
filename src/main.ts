#!/usr/bin/env -S node --max-semi-space-size=8
import { enableCompileCache } from 'node:module'
import path from 'node:path'

const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `Moorage needs Node 24 or newer; this is ${process.version}. Start it with npm, which brings its own.`,
  )
  process.exit(1)
}
// A third of the time of a start is turning the sources into code: kept until they change, where
// the folder can be written to.
enableCompileCache(path.join(import.meta.dirname, '../node_modules/.cache/moorage'))
const { runMain } = await import('citty')
const { main } = await import('./app/cli.ts')
await runMain(main)
