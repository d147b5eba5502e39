import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../../api/client.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Button, type TestStep, TestSteps, useChange } from '../../../ui/index.ts'
import { type Gateway, gateway as gatewayRead } from './reads.ts'

type Result = components['schemas']['GatewayTest']

/** Tests a gateway and lists the requirements for a payment. */
export function useGatewayTest() {
  const [result, show] = useState<Result | null>(null)
  const test = useChange(
    (id: string, intent) =>
      client.POST('/v1/admin/gateways/{id}/test', { params: { path: { id } }, ...intent }),
    {
      changes: [['gateways'], ['admin', 'readiness']],
      done: show,
    },
  )
  return { result, run: test.mutate, isRunning: test.isPending }
}

type TestProps = {
  readonly gateway: Gateway
  readonly test: ReturnType<typeof useGatewayTest>
}

const AGAIN_MS = 2000

export function GatewayTestCard({ gateway, test }: TestProps) {
  const { moneyRules } = useAdminTexts()
  const { gateways: texts } = moneyRules
  const { result, run, isRunning } = test
  // The service registers the webhook shortly after the gateway is created.
  const fresh = useQuery({
    ...gatewayRead(gateway.id),
    enabled: result !== null,
    refetchInterval: ({ state }) => (state.data?.webhookRegistered === false ? AGAIN_MS : false),
  })
  return (
    <div className="stack">
      {result || isRunning ? (
        <TestSteps
          label={texts.testOf(gateway.name)}
          steps={stepsOf(fresh.data ?? gateway, isRunning ? null : result, texts)}
        />
      ) : null}
      <div className="row">
        <Button variant="default" loading={isRunning} onClick={() => run(gateway.id)}>
          {texts.test}
        </Button>
      </div>
    </div>
  )
}

type Texts = ReturnType<typeof useAdminTexts>['moneyRules']['gateways']

function stepsOf(gateway: Gateway, result: Result | null, texts: Texts): readonly TestStep[] {
  const isOk = result?.ok ?? false
  const { capabilities, webhookRegistered, enabled } = gateway
  const listens = capabilities?.webhook === 'signed'
  const after = (good: boolean, otherwise: TestStep['state'] = 'bad') =>
    isOk ? (good ? 'done' : otherwise) : 'todo'
  return [
    {
      ...{ key: 'keys', name: texts.steps.keys, detail: result?.message },
      state: result ? (isOk ? 'done' : 'bad') : 'now',
    },
    ...(result?.accountId
      ? [
          {
            ...{ key: 'account', name: texts.steps.account, state: 'done' as const },
            detail: texts.account(result.accountId, result.country),
          },
        ]
      : []),
    {
      ...{ key: 'webhook', name: texts.steps.webhook },
      state: after(webhookRegistered || !listens, 'now'),
      detail: listens
        ? isOk && !webhookRegistered
          ? texts.webhookWaits
          : null
        : capabilities?.webhook === 'none'
          ? texts.webhookNone
          : null,
    },
    {
      ...{ key: 'offered', name: texts.steps.offered, state: after(enabled) },
      detail: enabled ? null : texts.off,
    },
  ]
}
