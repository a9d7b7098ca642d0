<?php
/** Answers that are no page of the shop. They end the request. */

defined( '_PS_VERSION_' ) || exit;

function tillkit_send_json( int $status, array $body ): void {
	http_response_code( $status );
	header( 'Content-Type: application/json' );
	header( 'Cache-Control: no-store' );
	echo tillkit_json( $body );
	exit;
}

/** 303: the browser asks for the address by GET, also after a form. */
function tillkit_redirect( string $url ): void {
	header( 'Cache-Control: no-store' );
	header( "Location: $url", true, 303 );
	exit;
}

/** A value of the request as plain text. */
function tillkit_requested( string $name ): string {
	$value = Tools::getValue( $name, '' );
	return is_string( $value ) ? substr( trim( $value ), 0, 500 ) : '';
}

/** The order that a link names with its key. */
function tillkit_order_of_link( string $order_id, string $key ): ?Tillkit_Prestashop_Order {
	$order = preg_match( TILLKIT_ORDER_ID, $order_id ) ? tillkit_host()->order( $order_id ) : null;
	return null !== $order && hash_equals( $order->key(), $key ) ? $order : null;
}
