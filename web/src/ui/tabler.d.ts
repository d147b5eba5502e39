/** The package declares types for its one large file only; each icon has this one. */
declare module '@tabler/icons-react/dist/esm/icons/*' {
  import type { Icon } from '@tabler/icons-react'

  const icon: Icon
  export default icon
}
