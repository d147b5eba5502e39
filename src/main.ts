#!/usr/bin/env node
import { runMain } from 'citty'
import { main } from './app/cli.ts'

const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `Moorage needs Node 24 or newer; this is ${process.version}. Start it with npm, which brings its own.`,
  )
  process.exit(1)
}
await runMain(main)
