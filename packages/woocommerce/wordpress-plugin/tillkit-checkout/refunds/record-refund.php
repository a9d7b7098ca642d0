<?php
/** Records a refund that the payment service has already made, once for each refund of the service. */

defined( 'ABSPATH' ) || exit;

/**
 * The caller holds the lock of the order, so of two calls for the same refund the second finds what the first has recorded.
 *
 * @param array $request From tillkit_read_order_fields().
 * @return array|Tillkit_Error The outcome: recorded, already, refused or gone.
 */
function tillkit_record_refund( array $request ) {
	$order = tillkit_fresh_order( (int) $request['order'] );
	if ( null === $order || ! hash_equals( (string) $order->get_order_key(), $request['key'] ) ) {
		return tillkit_record_refund_outcome( 'gone', $request );
	}
	$recorded = tillkit_recorded_refund( $order, $request );
	if ( null !== $recorded ) {
		tillkit_finish_recorded_refund( $order, $recorded );
		return tillkit_record_refund_outcome( 'already', $request );
	}
	// A full refund sets the status, which would restore the order from the trash.
	if ( tillkit_paid_by( $order ) !== $request['payment'] || 'trash' === $order->get_status() ) {
		return new Tillkit_Error( 'tillkit_payment_not_shown', __( 'The order no longer shows this payment: read it again.', 'tillkit-checkout' ), 409 );
	}
	if ( $order->get_currency() !== $request['currency'] ) {
		return tillkit_record_refund_outcome( 'refused', $request );
	}
	$outcome = tillkit_create_refund( $order, $request );
	return $outcome instanceof Tillkit_Error ? $outcome : tillkit_record_refund_outcome( $outcome, $request );
}

/** A refund was recorded under its key if the service named it only later. */
function tillkit_recorded_refund( WC_Order $order, array $request ): ?WC_Order_Refund {
	foreach ( tillkit_refunds_of( $order, -1 ) as $refund ) {
		if ( in_array( (string) $refund->get_meta( '_tillkit_refund_id' ), array( $request['refund'], $request['refund_key'] ), true ) ) {
			return $refund;
		}
	}
	return null;
}

/**
 * Finishes a refund that was recorded by a call which died: WooCommerce saves the refund first, then sends its e-mail and sets the status
 * of an order without a rest. Does nothing for a refund that was finished.
 */
function tillkit_finish_recorded_refund( WC_Order $order, WC_Order_Refund $refund ): void {
	if ( '' === (string) $refund->get_meta( TILLKIT_UNFINISHED_META ) ) {
		return;
	}
	$is_whole_order = (float) $order->get_remaining_refund_amount() <= 0.0;
	$status         = $is_whole_order ? apply_filters( 'woocommerce_order_fully_refunded_status', 'refunded', $order->get_id(), $refund->get_id() ) : ''; // phpcs:ignore WordPress.NamingConventions.PrefixAllGlobals.NonPrefixedHooknameFound -- WooCommerce's own filter.
	if ( is_string( $status ) && '' !== $status && $order->get_status() !== $status ) {
		try {
			$order->set_status( $status );
			$order->save();
		} catch ( Throwable $error ) {
			tillkit_log_foreign_error( $error );
		}
	}
	tillkit_add_note_once( $order, 'refund ' . $refund->get_id(), __( 'The shop was interrupted while a refund was recorded. The refund is complete; whether the customer got its e-mail is not known.', 'tillkit-checkout' ) );
	$refund->delete_meta_data( TILLKIT_UNFINISHED_META );
	$refund->save_meta_data();
}

/**
 * The money is already refunded, so the gateway is not asked to refund it. The service's id is saved together with the refund: a refund
 * without it would be recorded again.
 *
 * @return string|Tillkit_Error `recorded`, or `refused` if WooCommerce refuses the refund, for instance because the owner has entered it by hand.
 */
function tillkit_create_refund( WC_Order $order, array $request ) {
	$name = static function ( $refund ) use ( $request ): void {
		tillkit_assert_lock( $request['order'] );
		$refund->update_meta_data( '_tillkit_refund_id', $request['refund'] );
		$refund->update_meta_data( TILLKIT_UNFINISHED_META, $request['refund'] );
	};
	add_action( 'woocommerce_create_refund', $name, PHP_INT_MAX );
	try {
		$created = wc_create_refund(
			array(
				'order_id'       => $order->get_id(),
				'amount'         => $request['amount'],
				'reason'         => $request['reason'],
				'refund_payment' => false,
				'restock_items'  => false,
			)
		);
	} catch ( Tillkit_Stale_Write $stale ) {
		throw $stale;
	} catch ( Throwable $error ) {
		tillkit_log_foreign_error( $error );
		$order = tillkit_fresh_order( $order->get_id() ) ?? $order;
		$saved = tillkit_recorded_refund( $order, $request );
		if ( null === $saved ) {
			return new Tillkit_Error( 'tillkit_not_recorded', __( 'WooCommerce did not record the refund: check the logs of WooCommerce.', 'tillkit-checkout' ), 500 );
		}
		tillkit_finish_recorded_refund( $order, $saved );
		return 'recorded';
	} finally {
		remove_action( 'woocommerce_create_refund', $name, PHP_INT_MAX );
	}
	if ( is_wp_error( $created ) ) {
		return 'refused';
	}
	$created->delete_meta_data( TILLKIT_UNFINISHED_META );
	$created->save_meta_data();
	return 'recorded';
}

/** Repeats order and refund of the request, so that a cached answer is detected. */
function tillkit_record_refund_outcome( string $outcome, array $request ): array {
	return array(
		'outcome' => $outcome,
		'order'   => $request['order'],
		'refund'  => $request['refund'],
	);
}
