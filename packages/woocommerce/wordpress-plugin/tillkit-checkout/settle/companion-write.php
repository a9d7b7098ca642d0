<?php
/** Writes of the companion, told apart from those of people, and refused where they come too late. */

defined( 'ABSPATH' ) || exit;

/** @return mixed What the work answers. */
function tillkit_as_companion( callable $work ) {
	$GLOBALS['tillkit_companion_writes'] = true;
	try {
		return $work();
	} finally {
		$GLOBALS['tillkit_companion_writes'] = false;
	}
}

function tillkit_companion_writes(): bool {
	return true === ( $GLOBALS['tillkit_companion_writes'] ?? false );
}

/**
 * A write of the companion over WooCommerce's own REST API may land minutes after it was sent. One that would undo what the
 * owner decided meanwhile is refused. The status of the request is not set on the order yet; its meta is.
 *
 * @param WC_Order|WP_Error     $order
 * @param WP_REST_Request|array $request
 * @return WC_Order|WP_Error
 */
function tillkit_refuse_late_write( $order, $request ) {
	$meta = tillkit_companion_meta( $request['meta_data'] ?? null );
	if ( ! $order instanceof WC_Order || array() === $meta ) {
		return $order;
	}
	$now = tillkit_fresh_order( $order->get_id() );
	if ( null !== $now && ! tillkit_may_write( $now, (string) ( $request['status'] ?? '' ), true === ( $request['set_paid'] ?? null ), $meta ) ) {
		return new WP_Error( 'tillkit_order_decided', __( 'The order was decided meanwhile: read it again.', 'tillkit-checkout' ), array( 'status' => 409 ) );
	}
	$GLOBALS['tillkit_companion_writes'] = true;
	return $order;
}

function tillkit_end_companion_write(): void {
	$GLOBALS['tillkit_companion_writes'] = false;
}

/** @param array<string,string> $meta What the companion writes. */
function tillkit_may_write( WC_Order $now, string $status, bool $pays, array $meta ): bool {
	$paid_by = tillkit_paid_by( $now );
	$payment = $meta['_tillkit_payment_id'] ?? '';
	$before  = $pays ? array( $payment, null ) : array( $payment, 'owner', 'unclear' );
	if ( '' !== $payment && ! in_array( $paid_by, $before, true ) ) {
		return false;
	}
	if ( in_array( $status, wc_get_is_paid_statuses(), true ) ) {
		return tillkit_is_late_hold( $now );
	}
	if ( '' === $status && ! $pays ) {
		return true;
	}
	return in_array( $now->get_status(), TILLKIT_PAYABLE_STATUSES, true ) && in_array( $paid_by, array( null, $payment ), true );
}

/**
 * Every write of the companion names one of its own meta keys.
 *
 * @param mixed $rows
 * @return array<string,string>
 */
function tillkit_companion_meta( $rows ): array {
	$meta = array();
	foreach ( is_array( $rows ) ? $rows : array() as $row ) {
		$key = is_array( $row ) && is_string( $row['key'] ?? null ) ? $row['key'] : '';
		if ( 0 === strpos( $key, '_tillkit_' ) ) {
			$meta[ $key ] = is_scalar( $row['value'] ?? null ) ? (string) $row['value'] : '';
		}
	}
	return $meta;
}
