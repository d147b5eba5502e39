import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../texts/index.tsx'
import { Button, Card, Copy, Facts, Loaded } from '../../ui/index.ts'
import { handover } from './reads.ts'

/** The details of a delivery; secrets are shown on request. */
export function HandoverCard({ id }: { id: string }) {
  const { services } = useTexts()
  const [isOpen, open] = useState(false)
  return (
    <Card title={services.handover}>
      <Loaded query={useQuery(handover(id))}>
        {({ details }) => (
          <>
            <Facts
              rows={details.map(({ label, value, secret }) => [
                label,
                secret && !isOpen ? (
                  <span key={label} className="dim">
                    {services.hidden}
                  </span>
                ) : (
                  <Copy key={label} value={value ?? ''} label={label} />
                ),
              ])}
            />
            {details.some(({ secret }) => secret) ? (
              <Button variant="default" className="below" onClick={() => open(!isOpen)}>
                {isOpen ? services.hideSecrets : services.showSecrets}
              </Button>
            ) : null}
          </>
        )}
      </Loaded>
    </Card>
  )
}
