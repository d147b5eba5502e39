/** A complete seller, for the demo, measurements and tests. */
export const SANDBOX_SELLER = {
  ...{ name: 'Sandbox Hosting SAS', line1: '1 rue du Port', postcode: '75001', city: 'Paris' },
  ...{ country: 'FR', taxStatus: 'registered' as const, vatNumber: 'FR40303265045' },
  ...{ registerNumber: '303265045', currency: 'EUR' },
}
