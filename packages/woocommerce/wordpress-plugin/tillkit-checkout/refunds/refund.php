<?php
/** The refund button of the order screen. */

defined( 'ABSPATH' ) || exit;

/**
 * WooCommerce keeps its refund record if this returns true and removes it after an error.
 *
 * @param string|float|null $amount From WooCommerce.
 * @return true|WP_Error
 */
function tillkit_refund( int $order_id, $amount ) {
	$prepare = static function () use ( $order_id, $amount ): array {
		$order = wc_get_order( $order_id );
		return array(
			'amount' => tillkit_exact_amount( $amount ?? '', (string) $order->get_currency() ),
			'shown'  => tillkit_shown_refunds( $order ),
			'name'   => static function ( string $kind, string $name ) use ( $order ): void {
				tillkit_name_refund( $order, "_tillkit_$kind", $name );
			},
		);
	};
	$result = tillkit_refund_once( (string) $order_id, $prepare );
	return $result instanceof Tillkit_Error ? tillkit_wp_error( $result ) : $result;
}

/** An error for WordPress and WooCommerce. */
function tillkit_wp_error( Tillkit_Error $error ): WP_Error {
	return new WP_Error( $error->code, $error->message, array( 'status' => $error->status ) );
}
