<?php
/** Registers the payment method for the block checkout. */

defined( 'ABSPATH' ) || exit;

/** @param Automattic\WooCommerce\Blocks\Payments\PaymentMethodRegistry $registry */
function tillkit_register_blocks_method( $registry ): void {
	if ( ! class_exists( 'Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType' ) ) {
		return;
	}
	require_once __DIR__ . '/class-tillkit-blocks-method.php';
	$registry->register( new Tillkit_Blocks_Method() );
}
