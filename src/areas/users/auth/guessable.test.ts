import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isGuessable } from './guessable.ts'

const EMAIL = 'ada.lovelace@example.org'

const GUESSED = [
  ...['password123', 'Password2026!', 'P@ssw0rd1234', 'passwordpassword', '123password123'],
  ...['motdepasse1', 'Azerty12345', 'azertyuiop', 'qwertyuiop123', '1q2w3e4r5t', '1qaz2wsx3edc'],
  ...['1234567890', '0987654321', '12345678910', '1111111111', '1212121212', 'abcabcabcabc'],
  ...[
    'abcdefghij',
    'minecraft2026',
    'M1necraft!!!!',
    'Game-Server-1',
    'i love you 1',
    'admin12345!',
  ],
  ...[
    'ada.lovelace@example.org',
    'ada.lovelace',
    'AdaLovelace1999',
    'ada_lovelace!!',
    '0000000000',
  ],
  ...['ｐａｓｓｗｏｒｄ１２３', 'letmein!!!!', 'trustno1!!!!'],
]

for (const password of GUESSED) {
  test(`${password} is among the first that anybody tries`, () => {
    assert.equal(isGuessable(password, EMAIL), true)
  })
}

const GOOD = [
  ...['correct horse battery', 'another horse battery', 'password manager user', 'tidal-anchor-9'],
  ...['minecraft is fun', 'Xk3!pQ9vTz', '4815162342108', 'lovelace wrote it', 'azerty horse 1815'],
]

for (const password of GOOD) {
  test(`${password} is not`, () => {
    assert.equal(isGuessable(password, EMAIL), false)
  })
}
