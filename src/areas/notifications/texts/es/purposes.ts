import type { Purpose } from '#platform/area.ts'
import type { purposes as first } from '../en/purposes.ts'

/** Why each area keeps what it keeps about people, in Spanish. */
export const purposes: Readonly<Record<keyof typeof first, Purpose>> = {
  'users.profile': {
    data: 'perfil, número de teléfono, zona horaria, dirección de facturación, NIF-IVA y lo que dice de él el registro de la UE',
    purpose: 'Tener una cuenta y emitir facturas',
    legalBasis: 'Contrato, art. 6.1.b)',
    retention: 'Hasta que se elimine la cuenta',
    recipients: [
      'los proveedores de pagos de esta tienda',
      'los paneles de juego en los que están tus servidores',
      'el registro de números de IVA de la UE (solo el número)',
    ],
  },
  'users.marketing': {
    data: 'cuándo aceptaste recibir novedades y ofertas',
    purpose: 'Enviarte novedades y ofertas solo si quieres',
    legalBasis: 'Consentimiento, art. 6.1.a)',
    retention: 'Hasta que lo retires o se elimine la cuenta',
    recipients: [],
  },
  'users.sessions': {
    data: 'sesiones y claves de API',
    purpose: 'Saber que eres tú y mostrarte dónde tienes sesiones abiertas',
    legalBasis: 'Interés legítimo en que las cuentas sean seguras, art. 6.1.f)',
    retention: 'Sesiones: 30 días desde su fin; claves: hasta que se elimine la cuenta',
    recipients: [],
  },
  'users.notes': {
    data: 'notas de nuestro equipo sobre ti, también las de nuestro sistema anterior, y por qué han consultado tu cuenta',
    purpose: 'Ayudarte sin preguntar dos veces y justificar cada consulta de tu cuenta',
    legalBasis: 'Interés legítimo en una atención buena y trazable, art. 6.1.f)',
    retention:
      'Notas: hasta que el equipo las borre o se elimine la cuenta; motivos: tanto como las sesiones',
    recipients: [],
  },
  'rbac.roles': {
    data: 'roles y grupos',
    purpose: 'Permitir que el equipo haga su trabajo, y nadie más',
    legalBasis: 'Interés legítimo en una administración segura, art. 6.1.f)',
    retention: 'Hasta que se retire el rol o se elimine la cuenta',
    recipients: [],
  },
  'audit.log': {
    data: 'el registro de lo que has cambiado y de lo que ha consultado el equipo',
    purpose: 'Averiguar quién hizo qué cuando algo ha ido mal',
    legalBasis: 'Interés legítimo en la seguridad, art. 6.1.f)',
    retention:
      'Mientras esta tienda conserve su registro, 60 meses de forma predeterminada; direcciones, 12 meses',
    recipients: [],
  },
  'notifications.messages': {
    data: 'notificaciones, y correos por su asunto',
    purpose: 'Informarte de lo que debes saber sobre tu cuenta y tus servicios',
    legalBasis: 'Contrato, art. 6.1.b)',
    retention: 'Hasta que se elimine la cuenta',
    recipients: ['el servidor de correo de esta tienda'],
  },
  'store.cart': {
    data: 'el carrito',
    purpose: 'Venderte lo que añades a él',
    legalBasis: 'Medidas precontractuales, art. 6.1.b)',
    retention: 'Hasta que se compre, se vacíe o se elimine la cuenta',
    recipients: [],
  },
  'store.offers': {
    data: 'códigos promocionales y pruebas que has usado',
    purpose: 'Dar una sola vez lo que cada persona recibe una vez',
    legalBasis: 'Interés legítimo, art. 6.1.f)',
    retention: 'De forma indefinida; tras la eliminación, sin tu nombre',
    recipients: [],
  },
  'store.trials': {
    data: 'hashes con clave de la dirección, los métodos de pago y las cuentas de panel con los que probaste un producto',
    purpose:
      'Dar a cada persona una sola prueba de un producto, también después de eliminar una cuenta',
    legalBasis: 'Interés legítimo en evitar abusos, art. 6.1.f)',
    retention:
      'El tiempo que haya fijado esta tienda, 24 meses de forma predeterminada, desde la prueba',
    recipients: [],
  },
  'ledger.credit': {
    data: 'tu saldo y sus movimientos',
    purpose: 'Llevar la contabilidad',
    legalBasis: 'Contrato y obligación legal, art. 6.1.b) y c)',
    retention: 'Mientras se conserve la contabilidad; tras la eliminación, sin tu nombre',
    recipients: ['autoridades fiscales y auditores'],
  },
  'billing.documents': {
    data: 'facturas y facturas rectificativas con tu nombre, dirección y NIF-IVA, pagos y reembolsos',
    purpose: 'Facturar, cobrar y acreditarlo ante Hacienda',
    legalBasis: 'Contrato y obligación legal, art. 6.1.b) y c)',
    retention: 'Hasta el 31 de diciembre del décimo año posterior al de emisión del documento',
    recipients: ['los proveedores de pagos de esta tienda', 'autoridades fiscales y auditores'],
  },
  'billing.transfers': {
    data: 'transferencias bancarias: nombre y cuenta de quien paga, y lo que ha escrito',
    purpose: 'Averiguar a qué corresponde el dinero recibido',
    legalBasis: 'Contrato, art. 6.1.b)',
    retention: 'Hasta que se elimine la cuenta; las que nadie ha podido asignar, 400 días',
    recipients: [],
  },
  'billing.methods': {
    data: 'métodos de pago guardados: tipo y últimas cifras',
    purpose: 'Pagar sin volver a escribirlo todo, y renovar',
    legalBasis: 'Contrato, art. 6.1.b)',
    retention: 'Hasta que los quites o se elimine la cuenta',
    recipients: ['el proveedor de pagos que guarda el método'],
  },
  'services.services': {
    data: 'servicios, tuyos y compartidos contigo, con los valores que elegiste; tus cuentas en los paneles de juego',
    purpose: 'Prestarte lo que has pedido',
    legalBasis: 'Contrato, art. 6.1.b)',
    retention:
      'Hasta que se elimine la cuenta; aquello a lo que remite la contabilidad se conserva sin lo que tú escribiste',
    recipients: [
      'los paneles de juego en los que están tus servidores',
      'los sistemas de esta tienda que entregan tus servicios',
    ],
  },
  'services.activity': {
    data: 'lo que se ha hecho en tus servidores, y lo que has hecho tú en los compartidos contigo, con la dirección de origen',
    purpose: 'Mostrarte quién hizo qué y detectar usos indebidos',
    legalBasis: 'Interés legítimo, art. 6.1.f)',
    retention: 'Treinta días, o hasta que se elimine la cuenta',
    recipients: ['los paneles de juego en los que están tus servidores'],
  },
  'orders.orders': {
    data: 'pedidos, si querías que el servicio empezara de inmediato, y tu nota para la tienda',
    purpose: 'Cumplir lo que has pedido y acreditarlo',
    legalBasis: 'Contrato y obligación legal, art. 6.1.b) y c)',
    retention: 'Junto con la factura a la que corresponden; tras la eliminación, sin tu nombre',
    recipients: [],
  },
  'vouchers.redemptions': {
    data: 'los vales que has canjeado y cuándo introdujiste códigos erróneos',
    purpose: 'Abonarte el importe de los vales y evitar que se adivinen códigos',
    legalBasis: 'Contrato e interés legítimo, art. 6.1.b) y f)',
    retention:
      'Los vales canjeados, mientras se conserven los libros, sin tu nombre tras la eliminación; los códigos erróneos, un día',
    recipients: [],
  },
  'affiliation.commissions': {
    data: 'tu código, a quién has traído, qué has ganado; si alguien te ha traído a ti',
    purpose: 'Dar su parte a quienes traen clientes y detectar a quien se paga a sí mismo',
    legalBasis: 'Contrato e interés legítimo, art. 6.1.b) y f)',
    retention: 'Mientras se conserve la contabilidad; tras la eliminación, sin tu nombre',
    recipients: [],
  },
  'knowledge.feedback': {
    data: 'si los artículos de ayuda te sirvieron',
    purpose: 'Mejorar los artículos de ayuda',
    legalBasis: 'Interés legítimo en una ayuda comprensible, art. 6.1.f)',
    retention: 'Hasta que se elimine la cuenta; después, sin tu nombre',
    recipients: [],
  },
  'incidents.notices': {
    data: 'las incidencias que afectaron a tus servicios y cuándo te informamos de ellas',
    purpose: 'Informarte una vez de cada incidencia que te afecta',
    legalBasis: 'Contrato, art. 6.1.b)',
    retention: 'Hasta que se elimine la cuenta',
    recipients: [],
  },
  'support.tickets': {
    data: 'tus tickets con sus mensajes y archivos, con el servicio o la factura a los que se refieren',
    purpose: 'Responder a tus preguntas y resolver problemas con tus servicios',
    legalBasis: 'Contrato, art. 6.1.b)',
    retention: 'Hasta que se elimine la cuenta; las fechas se conservan sin texto',
    recipients: [],
  },
  'support.saved-replies': {
    data: 'las respuestas que guardaste para contestar a los clientes',
    purpose: 'Ofrecerte de nuevo estos textos',
    legalBasis: 'Interés legítimo en un trabajo eficiente, art. 6.1.f)',
    retention:
      'Hasta que se elimine la cuenta; las respuestas compartidas se conservan sin tu nombre',
    recipients: [],
  },
  'oidc.applications': {
    data: 'las aplicaciones en las que has iniciado sesión con esta cuenta',
    purpose: 'Decir a esas aplicaciones quién eres, como has permitido',
    legalBasis: 'Consentimiento, art. 6.1.a)',
    retention: 'Hasta que el consentimiento termine o lo retires',
    recipients: ['las aplicaciones que has permitido'],
  },
  'webhooks.messages': {
    data: 'lo que ha ocurrido con tu cuenta, tus pedidos, facturas y servicios, con tu identificador y sin tu nombre',
    purpose: 'Mantener al día los demás sistemas de esta tienda',
    legalBasis: 'Interés legítimo, art. 6.1.f)',
    retention: 'Treinta días, o el tiempo que haya fijado esta tienda',
    recipients: ['los sistemas que ha conectado esta tienda'],
  },
  'bot.roles': {
    data: 'los roles que tiene tu cuenta vinculada de Discord por lo que tienes aquí',
    purpose: 'Darte esos roles en los servidores de Discord de esta tienda, y retirártelos',
    legalBasis: 'Contrato, art. 6.1.b)',
    retention:
      'Hasta que quites el vínculo o se elimine la cuenta; lo que los bots tengan que retirar, treinta días más',
    recipients: ['Discord'],
  },
  'desk.views': {
    data: 'las vistas de listas de la administración que guardaste',
    purpose: 'Mostrarte de nuevo esas listas como las dejaste',
    legalBasis: 'Interés legítimo en un trabajo eficiente, art. 6.1.f)',
    retention: 'Hasta que borres la vista o se elimine la cuenta',
    recipients: [],
  },
  'desk.presence': {
    data: 'las páginas de la administración que tienes abiertas ahora y si escribes en ellas una respuesta',
    purpose: 'Mostrar al resto del personal quién trabaja en el mismo asunto',
    legalBasis: 'Interés legítimo en un trabajo eficiente, art. 6.1.f)',
    retention: 'Un minuto después de salir de la página; se borra unos minutos más tarde',
    recipients: [],
  },
}
