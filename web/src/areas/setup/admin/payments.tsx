import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gateways } from '../../../api/admin-reads.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { Button, Card, Loaded, Tag } from '../../../ui/index.ts'
import {
  type Gateway,
  GatewayTestCard,
  gatewayDrivers,
  NewGateway,
  useGatewayTest,
} from '../../billing/admin/index.ts'
import { StepFrame } from './frame.tsx'

/** At least one gateway with a successful test. */
export function PaymentsStep() {
  const list = useQuery(gateways)
  const drivers = useQuery(gatewayDrivers)
  return (
    <StepFrame step="payments">
      <Loaded query={list}>
        {({ data }) => (
          <Loaded query={drivers}>
            {({ data: known }) => <Payments list={data} drivers={known} />}
          </Loaded>
        )}
      </Loaded>
    </StepFrame>
  )
}

type Props = {
  readonly list: readonly Gateway[]
  readonly drivers: Parameters<typeof NewGateway>[0]['drivers']
}

function Payments({ list, drivers }: Props) {
  const { moneyRules } = useAdminTexts()
  const { gateways: texts } = moneyRules
  const [isAdding, add] = useState(list.length === 0)
  const [made, setMade] = useState<string | null>(null)
  const test = useGatewayTest()
  return (
    <>
      {list.map((gateway) => (
        <Card
          key={gateway.id}
          title={gateway.name}
          right={
            <>
              <Tag tone={gateway.mode === 'test' ? 'attention' : 'active'}>
                {texts.modes[gateway.mode]}
              </Tag>
              <Tag
                tone={
                  { ok: 'active', unknown: 'waiting', unhealthy: 'failed' }[
                    gateway.status
                  ] as 'active'
                }
              >
                {texts.status[gateway.status]}
              </Tag>
            </>
          }
        >
          <Tested gateway={gateway} {...(made === gateway.id && { test })} />
        </Card>
      ))}
      {isAdding ? (
        <Card title={texts.add}>
          <NewGateway
            drivers={drivers}
            done={(gateway) => {
              setMade(gateway.id)
              add(false)
              test.run(gateway.id)
            }}
          />
        </Card>
      ) : (
        <div className="row">
          <Button variant="default" onClick={() => add(true)}>
            {texts.add}
          </Button>
        </div>
      )}
    </>
  )
}

type TestedProps = { readonly gateway: Gateway; readonly test?: ReturnType<typeof useGatewayTest> }

/** A gateway that was just created shows its first test. */
function Tested({ gateway, test }: TestedProps) {
  const own = useGatewayTest()
  return <GatewayTestCard gateway={gateway} test={test ?? own} />
}
