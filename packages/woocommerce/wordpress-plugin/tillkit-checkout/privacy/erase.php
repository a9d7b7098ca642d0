<?php
/** Erases what the checkout server stores about a person. */

defined( 'ABSPATH' ) || exit;

/** Order meta that nothing needs any more once the payments of the order are final. */
const TILLKIT_ERASABLE_META = array( '_tillkit_language', '_tillkit_cancel_url' );

/**
 * One step of WordPress's erasure. The ids of payments stay on the orders: bookkeeping and refunds need them.
 *
 * @return array{items_removed:bool,items_retained:bool,messages:string[],done:bool}
 */
function tillkit_erase_personal_data( string $email, $page = 1 ): array {
	$step   = tillkit_orders_of_person( $email, (int) $page );
	$result = array(
		'items_removed'  => false,
		'items_retained' => false,
		'messages'       => array(),
		'done'           => $step['done'],
	);
	foreach ( $step['orders'] as $order ) {
		$problem = tillkit_erase_order( $order );
		if ( null === $problem ) {
			$result['items_removed'] = true;
			continue;
		}
		$result['items_retained'] = true;
		/* translators: 1: an order's number, 2: a sentence */
		$result['messages'][] = sprintf( __( 'Order %1$s: %2$s', 'tillkit-checkout' ), $order->get_order_number(), $problem );
	}
	return $result;
}

/** Null, or the reason why something was kept. */
function tillkit_erase_order( WC_Order $order ): ?string {
	$problem = tillkit_erase_at_checkout_server( tillkit_order( $order ) );
	if ( null !== $problem ) {
		return $problem;
	}
	foreach ( TILLKIT_ERASABLE_META as $key ) {
		$order->delete_meta_data( $key );
	}
	$order->save_meta_data();
	return null;
}
