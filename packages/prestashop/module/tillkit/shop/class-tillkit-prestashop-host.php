<?php
/** What the bridge asks of PrestaShop. */

defined( '_PS_VERSION_' ) || exit;

final class Tillkit_Prestashop_Host implements Tillkit_Host {

	/** @var Module The module, which translates and knows its own version. */
	private $module;

	/** @var int|null The shop whose settings count, where it is not that of the page. */
	private $shop_id = null;

	/** @var string|null The language of the texts, where it is not that of the page. */
	private $locale = null;

	public function __construct( Module $module ) {
		$this->module = $module;
	}

	/** An owner may look at all shops at once. The settings of an order are those of its shop. */
	public function use_shop( int $shop_id ): void {
		$this->shop_id = $shop_id;
	}

	public function shop_id(): int {
		return $this->shop_id ?? (int) Context::getContext()->shop->id;
	}

	/** @return mixed The result of the work, whose texts are in that language. */
	public function with_locale( string $locale, callable $work ) {
		$this->locale = $locale;
		try {
			return $work();
		} finally {
			$this->locale = null;
		}
	}

	public function module(): Module {
		return $this->module;
	}

	/** One connection for each shop of the multistore: a value of this shop counts, else that of its group, else that of all shops. */
	public function settings(): array {
		$texts = array( 'checkout_server', 'store', 'dashboard' );
		$saved = (array) $this->load( 'settings' );
		$text  = static function ( string $name ) use ( $saved ): string {
			return is_string( $saved[ $name ] ?? null ) ? $saved[ $name ] : '';
		};
		$is_on = static function ( string $name ) use ( $saved ): bool {
			return true === ( $saved[ $name ] ?? false );
		};
		$flags = array( 'enabled', 'owner_pages', 'test', 'log' );
		return array_combine( $texts, array_map( $text, $texts ) ) + array_combine( $flags, array_map( $is_on, $flags ) );
	}

	public function change_settings( array $changes ): void {
		$this->save( 'settings', $changes + (array) $this->load( 'settings' ) );
	}

	public function load( string $name ) {
		$stored = 'pairing' === $name ? $this->load_from_database( $name ) : (string) Configuration::get( tillkit_configuration_name( $name ), null, null, $this->shop_id() );
		return '' === $stored ? null : json_decode( $stored, true );
	}

	/** The shop takes tags out of a setting. */
	public function save( string $name, $value ): void {
		$text = null === $value ? '' : (string) json_encode( $value, JSON_HEX_TAG | JSON_HEX_AMP );
		Configuration::updateValue( tillkit_configuration_name( $name ), $text, false, null, $this->shop_id() );
	}

	/** In a table of its own: the shop reads all settings for each page, and clears its caches when one changes. */
	public function recall( string $name ): string {
		$rows = tillkit_select( 'SELECT `text` FROM `' . _DB_PREFIX_ . 'tillkit_memory` WHERE `until` > ' . time() . ' AND `name` = ' . tillkit_sql( $this->shop_id() . " $name" ) );
		return (string) ( $rows[0]['text'] ?? '' );
	}

	public function remember( string $name, string $text, int $seconds ): void {
		$now = time();
		tillkit_change_rows( 'DELETE FROM `' . _DB_PREFIX_ . "tillkit_memory` WHERE `until` <= $now" );
		tillkit_change_rows( 'REPLACE INTO `' . _DB_PREFIX_ . 'tillkit_memory` (`name`, `text`, `until`) VALUES (' . tillkit_sql( $this->shop_id() . " $name" ) . ', ' . tillkit_sql( $text ) . ', ' . ( $now + $seconds ) . ')' );
	}

	/** A number is the id of an order. */
	public function with_lock( string $name, int $seconds, callable $work ) {
		return tillkit_with_lock( ctype_digit( $name ) ? "order $name" : $name, $seconds, $work );
	}

	public function has_lost_lock( string $name ): bool {
		return tillkit_has_lost_lock( ctype_digit( $name ) ? "order $name" : $name );
	}

	/** A call names its shop by its address. An order of another shop of the multistore has another secret. */
	public function order( string $id ): ?Tillkit_Order {
		$order = tillkit_fresh_order( (int) $id );
		return null !== $order && (int) $order->first()['id_shop'] === $this->shop_id() ? $order : null;
	}

	public function write_order( string $purpose, array $fields, int $now ) {
		$writers = array(
			'mark-paid'     => 'tillkit_mark_paid',
			'hold'          => 'tillkit_hold',
			'close-order'   => 'tillkit_close',
			'note'          => 'tillkit_add_note',
			'record-refund' => 'tillkit_record_refund',
		);
		$order   = tillkit_order_of_call( $fields );
		if ( null !== $order ) {
			tillkit_enter_order( $order );
		}
		return isset( $writers[ $purpose ] ) ? $writers[ $purpose ]( $fields, $now ) : tillkit_bad_request();
	}

	public function read_orders( string $purpose, array $fields ): ?array {
		return 'read-order' === $purpose ? tillkit_read_order( $fields ) : tillkit_list_orders( $fields );
	}

	public function announce_decision( Tillkit_Order $order ): void {
		tillkit_mail_decision( $order );
	}

	public function post( string $url, array $headers, string $body, int $seconds ): ?array {
		$request = curl_init( $url );
		$lines   = array();
		foreach ( $headers as $name => $value ) {
			$lines[] = "$name: $value";
		}
		curl_setopt_array(
			$request,
			array(
				CURLOPT_POST           => true,
				CURLOPT_POSTFIELDS     => $body,
				CURLOPT_HTTPHEADER     => $lines,
				CURLOPT_RETURNTRANSFER => true,
				CURLOPT_FOLLOWLOCATION => false,
				CURLOPT_MAXFILESIZE    => 1048576,
				CURLOPT_TIMEOUT        => max( 1, $seconds ),
			)
		);
		$answer = curl_exec( $request );
		return is_string( $answer ) ? array( 'status' => (int) curl_getinfo( $request, CURLINFO_RESPONSE_CODE ), 'body' => $answer ) : null;
	}

	public function log( string $level, string $line ): void {
		$severities = array( 'debug' => 1, 'info' => 1, 'warning' => 2, 'error' => 3 );
		PrestaShopLogger::addLog( "Tillkit: $line", $severities[ $level ] );
	}

	public function translate( string $text ): string {
		return $this->translate_for( $text, $this->locale );
	}

	/** @param string|null $locale Such as fr-FR. */
	public function translate_for( string $text, ?string $locale ): string {
		return $this->module->translateText( $text, $locale );
	}

	public function language(): string {
		return 0 === strpos( $this->locale ?? (string) Context::getContext()->language->iso_code, 'fr' ) ? 'fr' : 'en';
	}

	public function time_text( int $at, string $part ): string {
		return date( 'date' === $part ? 'Y-m-d' : 'H:i', $at );
	}

	public function price_text( string $amount, string $currency ): string {
		return (string) Tools::getContextLocale( Context::getContext() )->formatPrice( $amount, $currency );
	}

	public function actor(): string {
		$employee = Context::getContext()->employee;
		return null === $employee || ! $employee->id ? '' : 'employee #' . (int) $employee->id;
	}

	public function site_address(): string {
		$row = tillkit_select( 'SELECT * FROM `' . _DB_PREFIX_ . 'shop_url` WHERE `main` = 1 AND `id_shop` = ' . $this->shop_id() )[0];
		$url = Configuration::get( 'PS_SSL_ENABLED' ) ? 'https://' . $row['domain_ssl'] : 'http://' . $row['domain'];
		return rtrim( $url . $row['physical_uri'] . $row['virtual_uri'], '/' );
	}

	public function shop(): array {
		$context = Context::getContext();
		return array(
			'name'         => (string) Configuration::get( 'PS_SHOP_NAME', null, null, $this->shop_id() ),
			'currency'     => (string) $context->currency->iso_code,
			'decimals'     => (int) $context->currency->precision,
			'settings_url' => (string) ( $this->load( 'settings_url' ) ?? $this->site_address() ),
			'version'      => (string) $this->module->version,
			'platform'     => 'PrestaShop ' . _PS_VERSION_,
			'paid_status'  => tillkit_state_name( (int) Configuration::get( 'PS_OS_PAYMENT' ) ),
		);
	}

	/** Of two simultaneous calls the second must see that the first has used the code: the shop reads its settings once in a request. */
	private function load_from_database( string $name ): string {
		$rows = tillkit_select( 'SELECT `value` FROM `' . _DB_PREFIX_ . "configuration` WHERE `name` = '" . pSQL( tillkit_configuration_name( $name ) ) . "' AND (`id_shop` IS NULL OR `id_shop` = " . $this->shop_id() . ') ORDER BY `id_shop` DESC' );
		return (string) ( $rows[0]['value'] ?? '' );
	}
}
