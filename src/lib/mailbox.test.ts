import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailboxOf } from './mailbox.ts'

test('spellings of one mailbox are equal', () => {
  const cases = [
    ['Ada@Example.org', 'ada@example.org'],
    ['ada+shop@example.org', 'ada@example.org'],
    ['a.d.a@example.org', 'a.d.a@example.org'],
    ['a.d.a+x@gmail.com', 'ada@gmail.com'],
    ['Ada@GoogleMail.com', 'ada@gmail.com'],
    ['+only@example.org', '+only@example.org'],
    ['...@gmail.com', '...@gmail.com'],
    ['"a@b"@example.org', '"a@b"@example.org'],
  ] as const
  for (const [email, mailbox] of cases) assert.equal(mailboxOf(email), mailbox, email)
})
