<?php
/** Identifies writes of the checkout server and refuses stale ones. */

defined( 'ABSPATH' ) || exit;

/**
 * Runs the work, in which WooCommerce saves the order. Right before that, after the hooks of other plugins, the order must still be in the
 * status in which it was read, and locked: PHP may have been frozen, or such a hook was slow.
 *
 * @return mixed The result of the work.
 * @throws Tillkit_Stale_Write If the order may have changed, so nothing is saved.
 */
function tillkit_save_unless_stale( WC_Order $order, string $status, callable $work ) {
	$check = static function ( $saved ) use ( $order, $status, &$check ): void {
		if ( $saved !== $order ) {
			return;
		}
		$stored = tillkit_fresh_order( $order->get_id() );
		if ( null === $stored || $stored->get_status() !== $status ) {
			throw new Tillkit_Stale_Write();
		}
		tillkit_assert_lock( (string) $order->get_id() );
		// Hooks that follow the new status may save the order again.
		if ( isset( $order->get_changes()['status'] ) ) {
			remove_action( 'woocommerce_before_order_object_save', $check, PHP_INT_MAX );
		}
	};
	add_action( 'woocommerce_before_order_object_save', $check, PHP_INT_MAX );
	try {
		return $work();
	} finally {
		remove_action( 'woocommerce_before_order_object_save', $check, PHP_INT_MAX );
	}
}

/**
 * A write of the checkout server over WooCommerce's REST API may be applied minutes after it was sent. A write that would undo a
 * change of the owner is refused. `$order` already has the meta of the request here, but not yet the status of the request.
 *
 * @param WC_Order|WP_Error     $order
 * @param WP_REST_Request|array $request
 * @return WC_Order|WP_Error
 */
function tillkit_refuse_stale_write( $order, $request ) {
	$meta = tillkit_checkout_server_meta( $request['meta_data'] ?? null );
	if ( ! $order instanceof WC_Order || array() === $meta ) {
		return $order;
	}
	$current = tillkit_fresh_order( $order->get_id() );
	if ( null !== $current && ! tillkit_is_write_allowed( $current, (string) ( $request['status'] ?? '' ), true === ( $request['set_paid'] ?? null ), $meta ) ) {
		return new WP_Error( 'tillkit_order_decided', __( 'The owner has changed the order: read it again.', 'tillkit-checkout' ), array( 'status' => 409 ) );
	}
	$GLOBALS['tillkit_is_checkout_server_write'] = true;
	return $order;
}

/** WooCommerce has saved the order of the request, so a later change in the same request is no longer the checkout server's. */
function tillkit_end_checkout_server_write(): void {
	$GLOBALS['tillkit_is_checkout_server_write'] = false;
}

/**
 * A payment pays only an order that nobody has paid. Without `set_paid` its id is only noted on an order that the owner set to
 * paid. An order that shows this payment already allows both, so that a write can be repeated.
 *
 * @param array<string,string> $meta The meta that the checkout server writes.
 */
function tillkit_is_write_allowed( WC_Order $order, string $status, bool $sets_paid, array $meta ): bool {
	$paid_by = tillkit_paid_by( $order );
	$payment = $meta['_tillkit_payment_id'] ?? '';
	$payers  = $sets_paid ? array( $payment, null ) : array( $payment, 'owner', 'unclear' );
	if ( '' !== $payment && ! in_array( $paid_by, $payers, true ) ) {
		return false;
	}
	if ( in_array( $status, wc_get_is_paid_statuses(), true ) ) {
		return tillkit_is_stale_hold( $order );
	}
	if ( '' === $status && ! $sets_paid ) {
		return true;
	}
	return tillkit_is_payable( $order ) && in_array( $paid_by, array( null, $payment ), true );
}

/**
 * The meta keys of the checkout server in a request. Every write of the checkout server contains at least one.
 *
 * @param mixed $rows
 * @return array<string,string>
 */
function tillkit_checkout_server_meta( $rows ): array {
	$meta = array();
	foreach ( is_array( $rows ) ? $rows : array() as $row ) {
		$key = is_array( $row ) && is_string( $row['key'] ?? null ) ? $row['key'] : '';
		if ( 0 === strpos( $key, '_tillkit_' ) ) {
			$meta[ $key ] = is_scalar( $row['value'] ?? null ) ? (string) $row['value'] : '';
		}
	}
	return $meta;
}
