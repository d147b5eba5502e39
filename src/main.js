#!/usr/bin/env -S node --max-semi-space-size=8
// @ts-check
// JavaScript, so that a runtime that is too old can say so, and no time goes into reading types.
import module from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleOf } from './bundle.js'
import { nameSources } from './traces.js'

const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `Moorage needs Node 24 or newer; this is ${process.version}. Start it with npm, which brings its own.`,
  )
  process.exit(1)
}
// The library of the command line knows no other value, and takes a pipe for a terminal.
if (process.env.NO_COLOR || !process.stdout.isTTY) process.env.NO_COLOR = '1'
const root = path.join(import.meta.dirname, '..')
const bundle = bundleOf(root)
// A third of the time of a start is turning the sources into code: kept until they change, where
// the folder can be written to.
module.enableCompileCache(
  bundle ? path.join(bundle, 'cache') : path.join(root, 'node_modules/.cache/moorage'),
)
if (bundle) nameSources(bundle)
await import(bundle ? pathToFileURL(path.join(bundle, 'main.js')).href : './main.ts')
