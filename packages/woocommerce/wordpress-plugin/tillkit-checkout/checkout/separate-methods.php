<?php
/**
 * Shows mobile money and card as two payment methods, if the owner wants that. WooCommerce knows one payment method with one page of
 * settings; only the list that shoppers see has two methods in the place of that one.
 */

defined( 'ABSPATH' ) || exit;

/**
 * Registers the separate methods where shoppers pay, because the block checkout refuses a method that is not registered, and on the
 * owner's pages, where other plugins offer them for fees and conditions. The list of payment methods with their settings, and the programs
 * that read it, know the common method only.
 */
function tillkit_add_method_gateways( array $gateways ): array {
	return tillkit_settings()['separate'] && ! tillkit_is_settings_list() ? array_merge( $gateways, tillkit_all_method_gateways() ) : $gateways;
}

/** Whether this request lists the payment methods for their settings: the owner's page, or a program, but not a call of the checkout's scripts. */
function tillkit_is_settings_list(): bool {
	if ( WC()->is_rest_api_request() ) {
		return is_callable( array( WC(), 'is_store_api_request' ) ) && ! WC()->is_store_api_request();
	}
	// phpcs:ignore WordPress.Security.NonceVerification.Recommended -- Only chooses a list.
	return is_admin() && 'wc-settings' === ( $_GET['page'] ?? '' ) && 'checkout' === ( $_GET['tab'] ?? '' );
}

/** @param array<string,WC_Payment_Gateway> $gateways The available payment methods, in the owner's order. */
function tillkit_separate_methods( $gateways ) {
	if ( ! is_array( $gateways ) ) {
		return $gateways;
	}
	$shown     = isset( $gateways['tillkit'] ) ? tillkit_method_gateways() : array();
	$separated = array();
	foreach ( $gateways as $id => $gateway ) {
		if ( 'tillkit' === $id && array() !== $shown ) {
			$separated += $shown;
		} elseif ( 'tillkit' === $id || ! tillkit_is_own_method( (string) $id ) ) {
			$separated[ $id ] = $gateway;
		}
	}
	return $separated;
}

/** @return array<string,Tillkit_Method_Gateway> By id. Empty if the methods are not separate, or if the currency leaves less than two. */
function tillkit_method_gateways(): array {
	$gateways = array();
	foreach ( tillkit_settings()['separate'] ? tillkit_all_method_gateways() : array() as $gateway ) {
		if ( $gateway->is_available() ) {
			$gateways[ $gateway->id ] = $gateway;
		}
	}
	return count( $gateways ) < 2 ? array() : $gateways;
}

/** @return Tillkit_Method_Gateway[] */
function tillkit_all_method_gateways(): array {
	$new = static function ( string $method ): Tillkit_Method_Gateway {
		return new Tillkit_Method_Gateway( $method );
	};
	return array_map( $new, array_keys( tillkit_methods() ) );
}

/** The id of a method at the checkout. An order has it only until its pay link is made. */
function tillkit_method_id( string $method ): string {
	return 'tillkit_' . str_replace( '-', '_', $method );
}

/** Whether the payment method of an order is ours. */
function tillkit_is_own_method( string $id ): bool {
	return 'tillkit' === $id || in_array( $id, array_map( 'tillkit_method_id', array_keys( tillkit_methods() ) ), true );
}
