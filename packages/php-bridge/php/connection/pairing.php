<?php
/**
 * The connection of the shop. The owner's browser carries a one-time code to the checkout server, which exchanges it for a new link secret.
 * The shop keeps only the hash of the code.
 */

defined( 'ABSPATH' ) || defined( '_PS_VERSION_' ) || exit;

const TILLKIT_PAIRING_LIFETIME_SECONDS = 900;

/**
 * The form that leads the owner to the checkout server: its address and its fields. They are sent in the body of a request and never in an
 * address, which logs and other sites could read. A new code replaces an older one, and is valid for this checkout server only.
 *
 * @return array{url:string,fields:array<string,string>}
 */
function tillkit_pairing_form( string $shop_url, int $now ): array {
	$server = tillkit_host()->settings()['checkout_server'];
	$code   = tillkit_new_pairing_code( $server, $now );
	$fields = array(
		'shop'     => $shop_url,
		'code'     => $code,
		'language' => tillkit_host()->language(),
	);
	return array(
		'url'    => $server . TILLKIT_BRIDGE_PATH . 'pair',
		'fields' => $fields + tillkit_pairing_proof( $code ),
	);
}

/** The page that leads the owner to the checkout server. */
function tillkit_pairing_page_html( string $shop_url, int $now ): string {
	$form   = tillkit_pairing_form( $shop_url, $now );
	$inputs = '';
	foreach ( $form['fields'] as $name => $value ) {
		$inputs .= '<input type="hidden" name="' . tillkit_html( $name ) . '" value="' . tillkit_html( $value ) . '" />';
	}
	/* translators: %s: the address of the checkout server */
	$text = sprintf( tillkit_text( 'You continue on your checkout server, %s. It shows what it will be allowed to do before anything changes.' ), tillkit_host()->settings()['checkout_server'] );
	return '<h1>' . tillkit_html( tillkit_text( 'Connect with the checkout server' ) ) . '</h1><p>' . tillkit_html( $text ) . '</p>'
		. '<form method="post" action="' . tillkit_link( $form['url'] ) . '">' . $inputs
		. '<button type="submit" class="button btn btn-primary">' . tillkit_html( tillkit_text( 'Continue' ) ) . '</button></form>';
}

function tillkit_new_pairing_code( string $checkout_server, int $now ): string {
	$code = bin2hex( random_bytes( 32 ) );
	tillkit_host()->save(
		'pairing',
		array(
			'hash'            => hash( 'sha256', $code ),
			'checkout_server' => $checkout_server,
			'expires'         => $now + TILLKIT_PAIRING_LIFETIME_SECONDS,
		)
	);
	return $code;
}

/**
 * What proves to a checkout server that it knows this shop already: the code, signed with the link secret. Empty for a shop that was not
 * connected before.
 *
 * @return array{store?:string,proof?:string}
 */
function tillkit_pairing_proof( string $code ): array {
	if ( ! tillkit_is_configured() ) {
		return array();
	}
	$store = tillkit_host()->settings()['store'];
	return array(
		'store' => $store,
		'proof' => tillkit_sign( array( 'tillkit v1 pair', $store, $code ), tillkit_link_secrets()[0] ),
	);
}

/** Whether the code is valid. A valid code is used up under a lock, so that only one of two simultaneous calls can use it. */
function tillkit_use_pairing_code( string $code, string $checkout_server, int $now ): bool {
	$use = static function () use ( $code, $checkout_server, $now ): bool {
		$stored   = (array) tillkit_host()->load( 'pairing' );
		$is_valid = isset( $stored['hash'], $stored['checkout_server'], $stored['expires'] )
			&& hash_equals( (string) $stored['hash'], hash( 'sha256', $code ) )
			&& $stored['checkout_server'] === $checkout_server
			&& $stored['expires'] >= $now;
		if ( $is_valid ) {
			tillkit_host()->save( 'pairing', null );
		}
		return $is_valid;
	};
	return true === tillkit_host()->with_lock( 'pairing', 5, $use );
}

/**
 * Answers `pair`, the only call without a signature: both sides have no secret yet.
 *
 * @return array|Tillkit_Error
 */
function tillkit_pair( string $bytes, int $now ) {
	$body   = strlen( $bytes ) > TILLKIT_MAX_BODY_BYTES ? null : json_decode( $bytes, false, 8 );
	$fields = $body instanceof stdClass ? tillkit_read_pairing( (array) $body ) : null;
	if ( null === $fields ) {
		return tillkit_bad_request();
	}
	if ( ! tillkit_use_pairing_code( $fields['code'], $fields['checkout_server'], $now ) ) {
		return new Tillkit_Error( 'tillkit_pairing_refused', tillkit_text( 'This connection has expired or was already made. Open the settings of Tillkit in the shop and connect again.' ), 403 );
	}
	tillkit_remember_environment( tillkit_text_field( (array) $body, 'environment' ) );
	return tillkit_save_pairing( $fields, true === ( $body->owner_pages ?? null ) );
}

/** @return array{code:string,store:string,checkout_server:string}|null */
function tillkit_read_pairing( array $body ): ?array {
	return tillkit_read_fields(
		$body,
		array(
			'code'            => '/^[0-9a-f]{64}\z/',
			'store'           => TILLKIT_STORE_ID,
			'checkout_server' => '/^https?:\/\/[^\x00-\x20<>"]{1,500}\z/',
		)
	);
}

/** The previous link secret stays valid, so that payments in progress are not disturbed. */
function tillkit_save_pairing( array $fields, bool $has_owner_pages ): array {
	$stored = tillkit_link_secrets();
	$secret = bin2hex( random_bytes( 32 ) );
	$shop   = tillkit_host()->shop();
	tillkit_save_link_secrets( $secret, $stored[0] ?? '' );
	tillkit_host()->change_settings(
		array(
			'checkout_server' => $fields['checkout_server'],
			'store'           => $fields['store'],
			'owner_pages'     => $has_owner_pages,
		)
	);
	return array(
		'protocol'    => TILLKIT_PROTOCOL,
		'store'       => $fields['store'],
		'link_secret' => $secret,
	) + array_intersect_key( $shop, array_flip( array( 'settings_url', 'currency', 'name', 'version' ) ) );
}

/**
 * What the owner reads above the connection after a step of it.
 *
 * @param string $step `yes` and `waiting` come from the checkout server with the browser; `left` and `leaving` are its states of a shop that disconnected.
 */
function tillkit_connection_text( string $step ): string {
	if ( 'left' === $step ) {
		return tillkit_text( 'The shop is disconnected. The checkout server has wiped the key of the payment service.' );
	}
	if ( 'leaving' === $step ) {
		return tillkit_text( 'The shop takes no new payments. The checkout server finishes those in progress, then it wipes the key of the payment service.' );
	}
	return 'waiting' === $step
		? tillkit_text( 'The shop is connected and waits for the approval of the operator of the checkout server. Until then shoppers cannot pay.' )
		: tillkit_text( 'The shop and the checkout server are connected. Check now below, then enable the payment method.' );
}

/** @param bool $has_left False: payments are being finished, and the checkout server still signs its calls with the link secret. */
function tillkit_forget_connection( bool $has_left ): void {
	tillkit_host()->change_settings( array( 'enabled' => false ) + ( $has_left ? array( 'store' => '', 'owner_pages' => false ) : array() ) );
	if ( $has_left ) {
		tillkit_host()->save( 'link_secrets', null );
	}
}

/**
 * Asks the checkout server for a link that opens its pages of this shop once.
 *
 * @param string $user The number of the person in the shop.
 * @param string $role owner or viewer
 * @return string|Tillkit_Error
 */
function tillkit_owner_pages_url( string $user, string $role ) {
	$answer = tillkit_call_checkout_server(
		'login',
		array(
			'user'     => $user,
			'role'     => $role,
			'nonce'    => bin2hex( random_bytes( 16 ) ),
			'language' => tillkit_host()->language(),
		)
	);
	$url    = $answer instanceof Tillkit_Error ? '' : tillkit_text_field( $answer, 'url' );
	if ( $answer instanceof Tillkit_Error || 0 === strpos( $url, tillkit_host()->settings()['checkout_server'] . '/' ) ) {
		return $answer instanceof Tillkit_Error ? $answer : $url;
	}
	return new Tillkit_Error( 'tillkit_no_answer', tillkit_text( 'The answer does not come from the checkout server.' ), 502 );
}
