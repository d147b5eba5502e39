import { startPaypal } from './server.ts'

const paypal = await startPaypal({ port: Number(process.env.PORT ?? 0) })
const { url, clientId, clientSecret } = paypal
console.log(JSON.stringify({ url, clientId, clientSecret }))

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void paypal.close()
  })
}
