<?php
/**
 * Gives the checkout server the few calls of WooCommerce's REST API that it needs, each signed with the link secret. The shop
 * needs no REST key: a key would open customers, coupons and settings too, or need a user and a role of its own.
 */

defined( 'ABSPATH' ) || exit;

/** Method and path of the allowed calls, below `orders`, each with the fields that a write may have. */
const TILLKIT_ORDER_CALLS = array(
	array( 'GET', '', array() ),
	array( 'GET', '/[1-9][0-9]{0,18}', array() ),
	array( 'PUT', '/[1-9][0-9]{0,18}', array( 'status', 'set_paid', 'payment_method', 'transaction_id', 'meta_data' ) ),
	array( 'GET', '/[1-9][0-9]{0,18}/notes', array() ),
	array( 'POST', '/[1-9][0-9]{0,18}/notes', array( 'note', 'customer_note' ) ),
	array( 'GET', '/[1-9][0-9]{0,18}/refunds', array() ),
	array( 'POST', '/[1-9][0-9]{0,18}/refunds', array( 'amount', 'reason', 'api_refund', 'meta_data' ) ),
);

function tillkit_answer_order_call( WP_REST_Request $request ): WP_REST_Response {
	$body = tillkit_receive_call( 'orders', tillkit_call_headers_of( $request ), (string) $request->get_body(), time() );
	if ( $body instanceof Tillkit_Error ) {
		$answer = $body;
	} else {
		$call   = tillkit_read_order_call( $body );
		$answer = null === $call ? tillkit_bad_request() : tillkit_make_order_call( $call );
	}
	if ( $answer instanceof Tillkit_Error ) {
		tillkit_log_answer( 'orders', $answer );
	}
	return tillkit_respond( $answer );
}

/**
 * Null for a call that is not allowed.
 *
 * @return array{method:string,path:string,query:array,fields:array}|null
 */
function tillkit_read_order_call( array $body ): ?array {
	// The objects inside the body become arrays.
	$call   = json_decode( (string) wp_json_encode( $body ), true );
	$method = $call['method'] ?? '';
	$path   = $call['path'] ?? '';
	$query  = $call['query'] ?? array();
	$fields = $call['fields'] ?? array();
	if ( ! is_string( $path ) || ! is_array( $query ) || ! is_array( $fields ) ) {
		return null;
	}
	foreach ( TILLKIT_ORDER_CALLS as list( $allowed_method, $pattern, $allowed_fields ) ) {
		if ( $method === $allowed_method && preg_match( "#^orders$pattern\\z#", $path ) ) {
			$has_other_fields = array() !== array_diff( array_keys( $fields ), $allowed_fields );
			$sends_money      = 'GET' !== $method && tillkit_asks_for_money( $path, $fields );
			return ! $has_other_fields && ! $sends_money ? compact( 'method', 'path', 'query', 'fields' ) : null;
		}
	}
	return null;
}

/** Only the refund button may send money back: a refund that is recorded here has been made already. */
function tillkit_asks_for_money( string $path, array $fields ): bool {
	return '/refunds' === substr( $path, -8 ) && false !== ( $fields['api_refund'] ?? null );
}

/** @return array{status:int,pages:int,body:mixed} WooCommerce's answer, also when it is an error. */
function tillkit_make_order_call( array $call ): array {
	$request = new WP_REST_Request( $call['method'], '/wc/v3/' . $call['path'] );
	$request->set_query_params( $call['query'] );
	$request->set_body_params( $call['fields'] );
	$allow = static function ( $permission, $context, $object_id, $post_type ) {
		$is_order = in_array( $post_type, array( 'shop_order', 'shop_order_refund' ), true );
		return $permission || ( $is_order && in_array( $context, array( 'read', 'create', 'edit' ), true ) );
	};
	add_filter( 'woocommerce_rest_check_permissions', $allow, 10, 4 );
	try {
		$response = rest_do_request( $request );
	} finally {
		remove_filter( 'woocommerce_rest_check_permissions', $allow, 10 );
	}
	$headers = $response->get_headers();
	return array(
		'status' => (int) $response->get_status(),
		'pages'  => (int) ( $headers['X-WP-TotalPages'] ?? 1 ),
		'body'   => rest_get_server()->response_to_data( $response, false ),
	);
}
