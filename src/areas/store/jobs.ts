import { onEvent } from '#platform/events.ts'
import { userDeleted } from '#users'
import { deleteCart } from './carts/queries.ts'

/** Somebody's account is gone, and so is what they wanted to buy. */
export const forgetCart = onEvent(userDeleted, 'store.forget-cart', async (context, user) => {
  await context.transact((tx) => deleteCart(tx, user))
})
