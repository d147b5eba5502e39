import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declineOf } from './declines.ts'

const advice = {
  new_method: [
    ...['expired_card', 'lost_card', 'stolen_card', 'pickup_card', 'invalid_account'],
    ...['restricted_card', 'card_not_supported', 'incorrect_number'],
  ],
  never: [
    ...['fraudulent', 'stop_payment_order', 'revocation_of_authorization'],
    ...['revocation_of_all_authorizations', 'merchant_blacklist'],
  ],
  customer_action: ['authentication_required', 'incorrect_cvc'],
  later: [
    ...['insufficient_funds', 'processing_error', 'issuer_not_available', 'try_again_later'],
    ...['do_not_honor', 'generic_decline', 'a_reason_of_the_future'],
  ],
} as const

for (const [retry, codes] of Object.entries(advice)) {
  for (const code of codes) {
    test(`after ${code} the advice is ${retry}`, () => {
      assert.equal(declineOf({ code: 'card_declined', decline_code: code }).retry, retry)
    })
  }
}

test('the reason of an error without a decline code is its own code', () => {
  assert.equal(declineOf({ code: 'expired_card' }).code, 'expired_card')
})

test('advice not to try again outweighs every reason', () => {
  const decline = declineOf({
    decline_code: 'insufficient_funds',
    advice_code: 'do_not_try_again',
  })
  assert.equal(decline.retry, 'never')
})

for (const code of ['fraudulent', 'lost_card', 'stolen_card', 'pickup_card']) {
  test(`a customer is not told of ${code}`, () => {
    assert.equal(declineOf({ decline_code: code }).customerMessageKey, 'payment.declined')
  })
}
