import { formatAmount } from '#lib/currency.ts'
import { plural } from '#lib/plural.ts'
import { attachedText } from '../attached.ts'
import { attentionText } from '../attention.ts'
import { dayText, timesText } from '../days.ts'
import { providerName, type Texts } from '../kinds.ts'
import { attention } from './attention.ts'
import { CREDIT_REASONS, PAYMENT_FAILURES } from './money.ts'

function amount(facts: { amountCents: number; currency: string }): string {
  return formatAmount(facts.amountCents, facts.currency, 'es')
}

function day(value: string): string {
  return dayText(value, 'es-ES')
}

/** How the title of an update of maintenance begins. */
function maintenance(step: string): string {
  if (step === 'canceled') return 'Mantenimiento cancelado: '
  return step === 'completed' ? 'Mantenimiento terminado: ' : 'Mantenimiento, novedades: '
}

/** When planned maintenance takes place. */
function times(facts: { startsAt: string; endsAt: string }): string {
  return timesText(facts, 'es-ES')
}

const VIEW_STATUS = 'Ver el estado'
const VIEW_TICKET = 'Ver el ticket'
const NOT_YOU = 'Si no has sido tú, cambia tu contraseña y contacta con nosotros.'
const NOT_ASKED = 'Si no lo has pedido tú, ignora este correo.'
const VIEW_INVOICE = 'Ver la factura'
const PAY = 'Pagar ahora'
const OPEN_SERVICE = 'Ver el servicio'
const OPEN_SERVER = 'Abrir el servidor'
const SECURITY = 'Revisar la seguridad'
const COMMISSION = 'Ver tus comisiones'
type Delivered = { delivery?: 'server' | 'manual' | 'webhook' | 'none' }
const hasServer = ({ delivery }: Delivered) => (delivery ?? 'server') === 'server'
const openOf = (it: Delivered) => (hasServer(it) ? OPEN_SERVER : OPEN_SERVICE)
const nounOf = (it: Delivered) => (hasServer(it) ? 'servidor' : 'servicio')
const UPGRADE_OBSTACLES = {
  no_capacity: 'Ahora mismo no hay capacidad para el cambio.',
  disk_in_use: 'Usa más espacio en disco del que tiene el nuevo plan: elimina lo que no necesites.',
  ports_in_use: 'Tiene más puertos que el nuevo plan: quita alguno.',
  databases_in_use: 'Tiene más bases de datos que el nuevo plan: elimina alguna.',
  backups_in_use: 'Tiene más copias de seguridad que el nuevo plan: elimina alguna.',
}
const FACTORS = { totp: 'Una aplicación de autenticación', passkey: 'Una llave de acceso' }

/** Notifications and mails in Spanish. */
export const texts: Texts = {
  greeting: (name) => (name ? `Hola, ${name}:` : 'Hola:'),
  paymentFailures: PAYMENT_FAILURES,
  attention,
  notices: {
    invoice_sent: (it) => {
      const due = formatAmount(it.dueCents, it.currency, 'es')
      const isDue = it.dueCents > 0
      return {
        title: `Tu factura de ${amount(it)}`,
        body: !isDue
          ? `Aquí tienes tu factura ${it.number} de ${amount(it)}. No queda nada por pagar.`
          : it.dueOn
            ? `Tienes ${due} por pagar de la factura ${it.number}. Vence el ${day(it.dueOn)}.`
            : `Tienes ${due} por pagar de la factura ${it.number}.`,
        rows: [
          ['Factura', it.number],
          ['Total', amount(it)],
          ['Por pagar', due],
          ...(isDue && it.dueOn ? [['Vencimiento', day(it.dueOn)] as const] : []),
        ],
        action: isDue ? PAY : VIEW_INVOICE,
      }
    },
    order_placed: (it) => ({
      title: `Hemos hecho un pedido para ti: ${amount(it)}`,
      body: it.dueOn
        ? `Tu pedido ${it.number} espera tu pago de ${amount(it)} hasta el ${day(it.dueOn)}. Si no lo quieres, no tienes que hacer nada: terminará ese día.`
        : `Hemos hecho el pedido ${it.number} para ti. No hay nada que pagar.`,
      rows: [
        ['Pedido', it.number],
        ['Total', amount(it)],
        ...(it.dueOn ? [['Fecha límite', day(it.dueOn)] as const] : []),
      ],
      action: it.dueOn ? PAY : VIEW_INVOICE,
    }),
    invoice_paid: (it) => ({
      title: `Hemos recibido tu pago de ${amount(it)}`,
      body: `La factura ${it.number} de ${amount(it)} está pagada. Gracias.`,
      rows: [
        ['Factura', it.number],
        ['Importe pagado', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_failed: (it) => ({
      title: `Tu pago de ${amount(it)} ha fallado`,
      body: `No hemos podido cobrar ${amount(it)}${it.number ? ` de la factura ${it.number}` : ''}. ${PAYMENT_FAILURES[it.why]} Puedes repetir el pago cuando quieras.`,
      rows: [...(it.number ? [['Factura', it.number] as const] : []), ['Por pagar', amount(it)]],
      action: PAY,
    }),
    payment_action_required: (it) => ({
      title: `Confirma tu pago de ${amount(it)}`,
      body: `Tu banco te pide que confirmes el pago de ${amount(it)}${it.number ? ` de la factura ${it.number}` : ''}.`,
      rows: [...(it.number ? [['Factura', it.number] as const] : []), ['Importe', amount(it)]],
      action: 'Confirmar el pago',
    }),
    refund_made: (it) => ({
      title: `Tu reembolso de ${amount(it)}`,
      body: it.toCredit
        ? `Hemos añadido ${amount(it)} a tu saldo por la factura ${it.number}.`
        : `Hemos reembolsado ${amount(it)} de la factura ${it.number} a tu método de pago. Puede tardar unos días en llegar.`,
      rows: [
        ['Factura', it.number],
        ['Reembolso', amount(it)],
      ],
      action: VIEW_INVOICE,
    }),
    credit_added: (it) => ({
      title: `Se han añadido ${amount(it)} a tu saldo`,
      body: `Hemos añadido ${amount(it)} a tu saldo. ${CREDIT_REASONS[it.why]}`,
      rows: [['Saldo añadido', amount(it)]],
      action: 'Ver tu saldo',
    }),
    out_of_stock_credit: (it) =>
      it.amountCents > 0
        ? {
            title: 'El producto que has pedido está agotado',
            body: `Tu pago llegó después de venderse la última unidad. Hemos añadido ${amount(it)} a tu saldo.`,
            rows: [['Saldo añadido', amount(it)]],
          }
        : {
            title: 'El producto que has pedido está agotado',
            body: 'La última unidad se vendió mientras tramitábamos tu pedido. No se te ha cobrado nada.',
          },
    service_active: (it) =>
      it.delivery === 'none'
        ? {
            title: `${it.name} está activo`,
            body: 'Hemos recibido tu pago y tu servicio está activo.',
            action: OPEN_SERVICE,
          }
        : it.delivery === 'manual' || it.delivery === 'webhook'
          ? {
              title: `${it.name} está listo`,
              body: 'Ya lo hemos entregado. En su página está todo lo que necesitas.',
              action: OPEN_SERVICE,
            }
          : {
              title: `${it.name} está listo`,
              body: it.address
                ? `Tu servidor está listo para jugar en ${it.address}.`
                : 'Tu servidor está listo.',
              rows: it.address ? [['Dirección', it.address]] : [],
              action: OPEN_SERVER,
            },
    service_failed: (it) =>
      hasServer(it)
        ? {
            title: `Aún no hemos podido instalar ${it.name}`,
            body: 'Tu pago está a salvo. Lo estamos revisando: instalaremos tu servidor o te devolveremos el dinero.',
            action: OPEN_SERVER,
          }
        : {
            title: `Aún no hemos podido entregar ${it.name}`,
            body: 'Tu pago está a salvo. Lo estamos revisando: entregaremos tu servicio o te devolveremos el dinero.',
            action: OPEN_SERVICE,
          },
    delivery_begun: (it) => ({
      title: `Estamos preparando ${it.name}`,
      body: `Hemos recibido tu pago. Entregaremos tu servicio a más tardar el ${day(it.dueOn)} y te avisaremos cuando esté listo.`,
      rows: [['Entrega a más tardar', day(it.dueOn)]],
      action: OPEN_SERVICE,
    }),
    service_reinstalled: (it) => ({
      title: `${it.name} se ha reinstalado`,
      body: 'La reinstalación ha terminado. Ya puedes iniciar tu servidor.',
      action: OPEN_SERVER,
    }),
    service_reinstall_failed: (it) => ({
      title: `No se ha podido reinstalar ${it.name}`,
      body: 'La reinstalación ha fallado. Revisa tus ajustes e inténtalo de nuevo, o contacta con nosotros.',
      action: OPEN_SERVER,
    }),
    server_crashed: (it) => ({
      title: `${it.name} se ha cerrado inesperadamente`,
      body: 'El final de su consola muestra el motivo. Te enviamos como máximo tres de estos mensajes al día.',
      action: 'Abrir la consola',
    }),
    service_suspended: (it) => ({
      title: `${it.name} está suspendido`,
      body: it.unpaid
        ? `No se ha eliminado nada. En cuanto pagues el importe pendiente, el ${nounOf(it)} volverá a estar disponible.`
        : 'No se ha eliminado nada. Contacta con nosotros para saber más.',
      action: openOf(it),
    }),
    service_reactivated: (it) => ({
      title: `${it.name} vuelve a estar disponible`,
      body: !hasServer(it)
        ? 'El servicio ya no está suspendido.'
        : 'El servidor ya no está suspendido. Puedes volver a iniciarlo.',
      action: openOf(it),
    }),
    service_ended: (it) => ({
      title: `${it.name} ha finalizado`,
      body: it.deleteOn
        ? `El servidor se ha apagado. Sus datos se eliminarán el ${day(it.deleteOn)}.`
        : !hasServer(it)
          ? 'El servicio ha finalizado. No se te cobrará nada más por él.'
          : 'El servidor se ha apagado y sus datos se han eliminado.',
      rows: it.deleteOn ? [['Eliminación de los datos', day(it.deleteOn)]] : [],
      action: OPEN_SERVICE,
    }),
    service_ending: (it) => ({
      title: `${it.name} finaliza el ${day(it.endsOn)}`,
      body: 'No se renovará automáticamente. Si quieres conservarlo, renuévalo antes de ese día.',
      rows: [['Finaliza el', day(it.endsOn)]],
      action: 'Renovarlo',
    }),
    renewal_invoice: (it) => ({
      title: `Renovación de ${it.name}: ${amount(it)}`,
      body: `El próximo periodo de ${it.name} cuesta ${amount(it)}. La factura vence el ${day(it.dueOn)}.`,
      rows: [
        ['Factura', it.number],
        ['Periodo', `${day(it.startsOn)} – ${day(it.endsOn)}`],
        ['Por pagar', amount(it)],
        ['Vencimiento', day(it.dueOn)],
      ],
      action: VIEW_INVOICE,
    }),
    payment_reminder: (it) => ({
      title: `Recordatorio de pago: ${amount(it)} por ${it.name}`,
      body:
        it.next === 'nothing'
          ? `Tienes pendientes ${amount(it)} por el tiempo hasta que finalizó el ${nounOf(it)}. La factura venció el ${day(it.dueOn)}.`
          : it.next === 'end'
            ? `El pago de ${amount(it)} venció el ${day(it.dueOn)}. El ${nounOf(it)} está suspendido. Si no se paga, finalizará el ${day(it.on)}${!hasServer(it) ? '' : ' y sus datos se eliminarán unos días después'}.`
            : `El pago de ${amount(it)} vence el ${day(it.dueOn)}. Si no se paga, suspenderemos el ${nounOf(it)} el ${day(it.on)}.`,
      rows: [
        ['Factura', it.number],
        ['Por pagar', amount(it)],
        ['Vencimiento', day(it.dueOn)],
        ...(it.next === 'nothing'
          ? []
          : [[it.next === 'end' ? 'Finaliza el' : 'Se suspende el', day(it.on)] as const]),
      ],
      action: PAY,
    }),
    price_change: (it) => ({
      title: `El precio de ${it.name} cambia`,
      body: `El primer periodo que empiece a partir del ${day(it.effectiveFrom)} costará ${amount(it)}. Puedes darlo de baja antes.`,
      rows: [
        ['Nuevo precio', amount(it)],
        ['A partir del', day(it.effectiveFrom)],
      ],
      action: openOf(it),
    }),
    service_upgraded: (it) => ({
      title: `${it.name} ha pasado a ${it.product}`,
      body: !hasServer(it)
        ? 'El cambio ha terminado.'
        : 'El cambio ha terminado. Reinicia el servidor para usar sus nuevos límites.',
      action: openOf(it),
    }),
    free_days: (it) => ({
      title: `${it.days} ${plural('es', it.days, 'día', 'días')} gratis para ${it.name}`,
      body: `${it.reason} Tu próximo periodo empieza el ${day(it.until)}. No pagas nada por estos días.`,
      rows: [
        ['Días gratis', String(it.days)],
        ['Próximo periodo', day(it.until)],
      ],
      action: openOf(it),
    }),
    upgrade_failed: (it) => ({
      title: `No se ha podido cambiar ${it.name} a ${it.product}`,
      body: it.isPaidBack
        ? `El ${nounOf(it)} sigue como estaba. Hemos añadido a tu saldo lo que pagaste por el cambio.`
        : `El ${nounOf(it)} sigue como estaba.`,
      action: openOf(it),
    }),
    upgrade_waiting: (it) => ({
      title: `Aún no se puede cambiar ${it.name} a ${it.product}`,
      body: `${UPGRADE_OBSTACLES[it.misfit]} Seguiremos intentándolo hasta el ${day(it.until)}. Después, el servidor y su precio se quedarán como están.`,
      action: OPEN_SERVER,
    }),
    invitation: (it) => ({
      title: `${it.inviter} comparte ${it.service} contigo`,
      body: 'Abre la invitación para aceptarla o rechazarla.',
      action: 'Abrir la invitación',
    }),
    commission_earned: (it) => ({
      title: `Has ganado ${amount(it)}`,
      body: 'Un cliente que has recomendado ha pagado. Podrás usar tu comisión cuando termine el plazo de espera.',
      rows: [['Comisión', amount(it)]],
      action: COMMISSION,
    }),
    commission_available: (it) => ({
      title: `Comisión disponible: ${amount(it)}`,
      body: `El plazo de espera ha terminado. Puedes convertir tus comisiones en saldo a partir de ${formatAmount(2000, it.currency, 'es')}.`,
      rows: [['Disponible', amount(it)]],
      action: COMMISSION,
    }),
    commission_reversed: (it) => ({
      title: `Comisión anulada: ${amount(it)}`,
      body: 'Un pago de un cliente que has recomendado se ha reembolsado, ha sido devuelto por el banco o no se ha aceptado.',
      rows: [['Anulada', amount(it)]],
      action: COMMISSION,
    }),
    commission_restored: (it) => ({
      title: `Comisión restablecida: ${amount(it)}`,
      body: 'Un pago que el banco había devuelto finalmente se ha pagado.',
      rows: [['Restablecida', amount(it)]],
      action: COMMISSION,
    }),
    impersonated: () => ({
      title: 'Una persona de nuestro equipo está viendo tu cuenta',
      body: 'Durante 30 minutos como máximo, ve lo mismo que tú. No puede ver ni cambiar cómo inicias sesión ni cómo pagas.',
    }),
    admin_attention: (it) => ({ action: 'Ver los detalles', ...attentionText(attention, it) }),
    password_changed: () => ({
      title: 'Se ha cambiado tu contraseña',
      body: `Se han cerrado todas tus sesiones y se han revocado tus claves de API. ${NOT_YOU}`,
      action: SECURITY,
    }),
    registration_attempted: () => ({
      title: 'Alguien ha intentado registrarse con tu dirección',
      body: 'Ya tienes una cuenta, así que no se ha abierto otra. Si has sido tú, inicia sesión o restablece tu contraseña si la has olvidado. Si no, no tienes que hacer nada.',
      action: 'Ir a tu cuenta',
    }),
    session_stolen: () => ({
      title: 'Hemos cerrado una de tus sesiones',
      body: `Uno de sus tokens se ha usado dos veces, así que puede que alguien lo haya copiado. ${NOT_YOU}`,
      action: SECURITY,
    }),
    application_stolen: (it) => ({
      title: `Hemos cerrado tu sesión en ${it.application}`,
      body: `Un token que ${it.application} tiene para tu cuenta se ha usado dos veces, así que puede que alguien lo haya copiado. Vuelve a iniciar sesión allí. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_added: (it) => ({
      title: `${FACTORS[it.factor]} protege ahora tu cuenta`,
      body: `A partir de ahora, iniciar sesión exige un segundo factor. ${NOT_YOU}`,
      action: SECURITY,
    }),
    second_factor_removed: (it) => ({
      title: `${FACTORS[it.factor]} se ha quitado de tu cuenta`,
      body: `Ya no se puede usar para iniciar sesión. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_codes_made: () => ({
      title: 'Tienes nuevos códigos de recuperación',
      body: `Los códigos anteriores ya no funcionan. ${NOT_YOU}`,
      action: SECURITY,
    }),
    recovery_code_used: (it) => ({
      title: 'Se ha usado un código de recuperación',
      body: `Te ${plural('es', it.left, 'queda', 'quedan')} ${it.left} ${plural('es', it.left, 'código', 'códigos')}. ${NOT_YOU}`,
      action: SECURITY,
    }),
    passkey_copied: (it) => ({
      title: `Se ha rechazado la llave de acceso ${it.name}`,
      body: 'Su contador ha retrocedido, así que puede que exista una copia. Quita la llave, salvo que sepas por qué.',
      action: SECURITY,
    }),
    account_connected: (it) => ({
      title: `Se ha vinculado la cuenta de ${providerName(it.provider)} ${it.name}`,
      body: `Ahora está vinculada a tu cuenta. ${NOT_YOU}`,
      action: SECURITY,
    }),
    account_disconnected: (it) => ({
      title: `Se ha desvinculado la cuenta de ${providerName(it.provider)} ${it.name}`,
      body: `Ya no está vinculada a tu cuenta. ${NOT_YOU}`,
      action: SECURITY,
    }),
    vat_number_invalid: (it) => ({
      title: `No se ha podido confirmar tu NIF-IVA ${it.vatNumber}`,
      body: 'No figura en el registro de la UE (VIES). Tus próximas facturas llevarán IVA hasta que tu perfil tenga un número válido. Las facturas ya emitidas no cambian.',
      action: 'Revisar la facturación',
    }),
    ticket_opened: (it) => ({
      title: `Te hemos escrito: ticket ${it.number}`,
      body: `Hay un mensaje para ti en el ticket ${it.number}.`,
      action: VIEW_TICKET,
    }),
    ticket_answered: (it) => ({
      title: `Respuesta al ticket ${it.number}`,
      body: `Hay un mensaje nuevo en el ticket ${it.number}.${attachedText('es', it.files)}`,
      action: VIEW_TICKET,
    }),
    ticket_closed: (it) => ({
      title: `El ticket ${it.number} está cerrado`,
      body: `Hemos cerrado el ticket ${it.number}. Si queda algo por resolver, escribe en él y volverá a abrirse.`,
      action: VIEW_TICKET,
    }),
    ticket_closing: (it) => ({
      title: `El ticket ${it.number} se cerrará el ${day(it.closesOn)}`,
      body: `Hay una respuesta en el ticket ${it.number} y desde entonces no se ha escrito nada. Si queda algo por resolver, escribe en él y seguirá abierto.`,
      action: VIEW_TICKET,
    }),
    ticket_new: (it) => ({
      title: `Nuevo ticket ${it.number}`,
      body: `Un cliente ha abierto el ticket ${it.number}.`,
      action: VIEW_TICKET,
    }),
    ticket_assigned: (it) => ({
      title: `Se te ha asignado el ticket ${it.number}`,
      body: `El ticket ${it.number} se te ha asignado.`,
      action: VIEW_TICKET,
    }),
    ticket_customer_replied: (it) => ({
      title: `Un cliente ha escrito en el ticket ${it.number}`,
      body: `Hay un mensaje nuevo del cliente en el ticket ${it.number}.${attachedText('es', it.files)}`,
      action: VIEW_TICKET,
    }),
    mail_undeliverable: (it) => ({
      title: 'Nuestros correos no te llegan',
      body: `El servidor de correo de ${it.address} indica que esta dirección no existe. No enviaremos nada allí hasta que vuelvas a confirmarla o elijas otra.`,
    }),
    incident_opened: (it) => ({
      title: `Incidencia: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_updated: (it) => ({
      title: `Incidencia, novedades: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    incident_resolved: (it) => ({
      title: `Resuelta: ${it.title}`,
      body: it.text,
      action: VIEW_STATUS,
    }),
    maintenance_planned: (it) => ({
      title: `Mantenimiento previsto: ${it.title}`,
      body: `${it.text}\n\n${times(it)}`,
      action: VIEW_STATUS,
    }),
    maintenance_changed: (it) => ({
      title: `${maintenance(it.step)}${it.title}`,
      body: it.step === 'changed' ? `${it.text}\n\n${times(it)}` : it.text,
      action: VIEW_STATUS,
    }),
    announcement: ({ title, body }) => ({ title, body, action: 'Leer más' }),
  },
  mails: {
    verify_email: () => ({
      title: 'Confirma tu dirección de correo',
      body: 'Confirma que esta dirección de correo es tuya.',
      action: 'Confirmar la dirección',
      after: NOT_ASKED,
    }),
    reset_password: () => ({
      title: 'Restablece tu contraseña',
      body: 'Has pedido restablecer tu contraseña. Usa el botón para elegir una nueva.',
      action: 'Elegir una contraseña',
      after: NOT_ASKED,
    }),
    account_created: () => ({
      title: 'Tu cuenta está lista',
      body: 'Hemos creado una cuenta para ti con esta dirección de correo. Usa el botón para elegir una contraseña. El enlace es válido durante 7 días.',
      action: 'Elegir una contraseña',
      after: 'Si no esperas una cuenta con nosotros, ignora este correo.',
    }),
    service_invitation: ({ inviter, service }) => ({
      title: `${inviter} comparte un servidor contigo`,
      body: `${inviter} te invita a usar el servidor ${service}.`,
      action: 'Abrir la invitación',
      after: 'Si no conoces a esta persona, ignora este correo.',
    }),
    email_change_requested: ({ newEmail }) => ({
      title: 'Una nueva dirección de correo para tu cuenta',
      body: `Alguien ha pedido sustituir esta dirección por ${newEmail}. Esta dirección sigue siendo válida hasta que se confirme la nueva. ${NOT_YOU}`,
    }),
    mail_test: () => ({
      title: 'Correo de prueba',
      body: 'Tu servidor de correo ha aceptado este correo. Los correos para tus clientes se envían de la misma manera.',
    }),
    staff_message: ({ subject, text }) => ({ title: subject, body: text }),
    more_attention: ({ times }) => ({
      title: 'Hay más asuntos que requieren tu atención',
      body: `Han surgido más de ${times} asuntos en una hora, así que los demás no se envían por correo. Los encontrarás todos en tus notificaciones.`,
      action: 'Ver las notificaciones',
    }),
    email_changed: ({ newEmail }) => ({
      title: 'Se ha cambiado tu dirección de correo',
      body: `Tu cuenta usa ahora ${newEmail} en lugar de esta dirección. ${NOT_YOU}`,
    }),
  },
}
