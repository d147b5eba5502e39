/** The English text of a failed rule. Nobody should decide anything by it. */
export function messageOf(
  label: string,
  rule: string,
  parameters: readonly string[],
  numeric: boolean,
): string {
  const [first, second] = parameters
  const unit = numeric ? '' : ' characters'
  switch (rule) {
    case 'required':
    case 'required_with':
    case 'required_without':
      return `The ${label} field is required.`
    case 'present':
      return `The ${label} field must be present.`
    case 'unique':
      return `The ${label} has already been taken.`
    case 'exists':
    case 'in':
    case 'not_in':
      return `The selected ${label} is invalid.`
    case 'boolean':
      return `The ${label} field must be true or false.`
    case 'integer':
      return `The ${label} must be an integer.`
    case 'numeric':
      return `The ${label} must be a number.`
    case 'string':
    case 'array':
      return `The ${label} must be ${rule === 'array' ? 'an array' : 'a string'}.`
    case 'email':
      return `The ${label} must be a valid email address.`
    case 'min':
      return `The ${label} must be at least ${first}${unit}.`
    case 'max':
      return `The ${label} may not be greater than ${first}${unit}.`
    case 'size':
      return `The ${label} must be ${first}${unit}.`
    case 'between':
      return `The ${label} must be between ${first} and ${second}${unit}.`
    case 'digits_between':
      return `The ${label} must be between ${first} and ${second} digits.`
    default:
      return `The ${label} format is invalid.`
  }
}
