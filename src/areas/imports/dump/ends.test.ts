import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ends } from './ends.ts'

const ROWS = `INSERT INTO t VALUES (1);\n`.repeat(500)
const MARIADB = '/*M!999999\\- enable the sandbox mode */\n-- MariaDB dump 10.19  Distrib 10.11\n'
const DONE = '-- Dump completed on 2026-11-01  3:00:00\n'

const dumps: [string, string, boolean][] = [
  ['of mysqldump that is whole', `-- MySQL dump 10.13\n${ROWS}${DONE}`, false],
  ['of mysqldump that stopped behind a statement', `-- MySQL dump 10.13\n${ROWS}`, true],
  ['of mariadb-dump that is whole', `${MARIADB}${ROWS}${DONE}`, false],
  ['of mariadb-dump that stopped behind a statement', `${MARIADB}${ROWS}`, true],
  ['with a statement behind its end', `-- MySQL dump 10.13\n${ROWS}${DONE}COMMIT;\n`, false],
  ['without comments', ROWS, false],
  ['of phpMyAdmin, which never says it', `-- phpMyAdmin SQL Dump\n${ROWS}COMMIT;\n`, false],
]

for (const [what, text, cutOff] of dumps) {
  test(`a dump ${what} is ${cutOff ? 'cut off' : 'whole'}`, () => {
    for (const size of [1, 700, text.length]) {
      const ends = new Ends()
      for (let at = 0; at < text.length; at += size) {
        ends.push(Buffer.from(text.slice(at, at + size)))
      }
      assert.equal(ends.cutOff(), cutOff, `in pieces of ${size}`)
    }
  })
}
